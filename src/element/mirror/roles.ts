/**
 * ARIA roles that nodes keep. The other roles are Chromium's own, see {@link OWN}, or contain no information.
 */
const ARIA: ReadonlySet<string> = new Set(
  (
    'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary ' +
    'contentinfo definition deletion dialog document emphasis feed figure form grid gridcell group heading img insertion link list ' +
    'listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option paragraph ' +
    'progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong ' +
    'subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem'
  ).split(' '),
);

/** Chromium's own roles, with the most similar ARIA role of each. */
const OWN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    RootWebArea: 'document',
    Iframe: 'group',
    image: 'img',
    Canvas: 'img',
    SvgRoot: 'img',
    GraphicsDocument: 'img',
    Video: 'group',
    Audio: 'group',
    Details: 'group',
    EmbeddedObject: 'group',
    PluginObject: 'group',
    DescriptionListTerm: 'term',
    DescriptionListDetail: 'definition',
    DisclosureTriangle: 'button',
    ToggleButton: 'button',
    Date: 'textbox',
    DateTime: 'textbox',
    InputTime: 'textbox',
    ColorWell: 'textbox',
  }),
);

/** Roles whose elements must not have a name, according to ARIA. */
const NAMELESS: ReadonlySet<string> = new Set(
  'caption code definition deletion emphasis insertion paragraph strong subscript superscript term time'.split(
    ' ',
  ),
);

/** Returns the ARIA role for a role of the browser. Undefined if that role contains no information. */
export function roleOf(role: string): string | undefined {
  return ARIA.has(role) ? role : OWN.get(role);
}

/** Returns true if elements of this role may have a name. */
export function takesName(role: string | undefined): boolean {
  return role !== undefined && !NAMELESS.has(role);
}
