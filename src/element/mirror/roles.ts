/** ARIA roles that nodes keep. Others are the browser's own, see {@link OWN}, or stand for nothing that is told. */
const ARIA: ReadonlySet<string> = new Set(
  (
    'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary ' +
    'contentinfo definition deletion dialog document emphasis feed figure form grid gridcell group heading img insertion link list ' +
    'listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option paragraph ' +
    'progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong ' +
    'subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem'
  ).split(' '),
);

/** Chromium's own roles, and what comes next to them. */
const OWN: Readonly<Record<string, string>> = {
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
};

/** Roles that have no name of their own: ARIA forbids one. */
const NAMELESS: ReadonlySet<string> = new Set(
  'caption code definition deletion emphasis insertion paragraph strong subscript superscript term time'.split(
    ' ',
  ),
);

/** The ARIA role of a node; undefined: what is inside of it tells all. */
export function roleOf(role: string): string | undefined {
  return ARIA.has(role) ? role : OWN[role];
}

/** Whether something of this role may be called by a name. */
export function takesName(role: string | undefined): boolean {
  return role !== undefined && !NAMELESS.has(role);
}
