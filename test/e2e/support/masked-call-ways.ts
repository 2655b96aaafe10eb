/** A node of the page: its role, and its number among the nodes of this role. */
export interface NodeOf {
  role: string;
  number: number;
}

/** A step of a way: a script that the page runs, or a call, on a node or without one. */
export type CallStep = string | readonly [method: string, fields: object, node?: NodeOf];

/** A way to change a masked field by calls. */
export interface CallWay {
  /** Field that changes. */
  field: string;
  /** True if the way may have no effect with the role either, because the browser may not begin a drag. */
  uncertain?: true;
  steps: readonly CallStep[];
}

const at = (top: number, left = 170) => ({ x: left, y: top + 15 });
/** Position of the unmasked field. */
export const FREE = at(20);
const PLAIN = at(60);
const RICH = at(220);
const PARTLY = at(100, 410);
const text = 'x';
const X: CallStep = ['type', { text }];
const node = (role: string, number = 0): NodeOf => ({ role, number });
const click = (place: object, more: object = {}): CallStep => ['click', { ...place, ...more }];
const key = (name: string): CallStep => ['key', { key: name }];
const focus = (id: string) => `byId('${id}').focus()`;
const COPY: readonly CallStep[] = [
  `byId('free').value = 'q'`,
  click(FREE),
  key('Control+a'),
  key('Control+c'),
];

/** Ways to change masked fields by calls. Each one changes its field if the program has the role. */
export const CALL_WAYS: Readonly<Record<string, CallWay>> = {
  'typing after a click': { field: 'plain', steps: [click(PLAIN), X] },
  'typing at a position': { field: 'plain', steps: [['type', { ...PLAIN, text }]] },
  'typing into a node': { field: 'plain', steps: [['type', { text }, node('textbox', 1)]] },
  'another text of a node': {
    field: 'plain',
    steps: [['type', { text, replace: true }, node('textbox', 1)]],
  },
  'the value of a node': { field: 'plain', steps: [['set', { value: text }, node('textbox', 1)]] },
  'typing at the focus': { field: 'plain', steps: [focus('plain'), X] },
  'a key at the focus': { field: 'plain', steps: [focus('plain'), key('x')] },
  'a deletion': { field: 'plain', steps: [`${focus('plain')}; byId('plain').select()`, key('Delete')] },
  'a cut': { field: 'kept', steps: [`${focus('kept')}; byId('kept').select()`, key('Control+x')] },
  'a paste': { field: 'plain', steps: [...COPY, focus('plain'), key('Control+v')] },
  'a paste by Insert': { field: 'plain', steps: [...COPY, focus('plain'), key('Shift+Insert')] },
  'a paste from the menu': { field: 'plain', steps: [...COPY, click(PLAIN, { button: 'right' }), key('p')] },
  'the next field by Tab': { field: 'plain', steps: [click(FREE), key('Tab'), X] },
  'a dragged text': {
    field: 'plain',
    uncertain: true,
    steps: [...COPY, ['drag', { path: [at(20, 28), at(30, 60), at(50, 120), at(60, 160), PLAIN] }]],
  },
  'a checkbox': { field: 'check', steps: [click(at(180, 35))] },
  'the label of a checkbox': { field: 'check', steps: [click(at(180, 150))] },
  'the node of a checkbox': { field: 'check', steps: [['click', {}, node('checkbox')]] },
  'Space on a checkbox': { field: 'check', steps: [focus('check'), key('Space')] },
  'an arrow key in a number': { field: 'number', steps: [focus('number'), key('ArrowUp')] },
  'a spin button': { field: 'number', steps: [click({ x: 312, y: 110 })] },
  'an arrow key in a list': { field: 'select', steps: [focus('select'), key('ArrowDown')] },
  'a choice from a list': { field: 'select', steps: [['set', { value: 'c' }, node('combobox')]] },
  'a slider': { field: 'range', steps: [click(at(260, 270))] },
  'the value of a slider': { field: 'range', steps: [['set', { value: '80' }, node('slider')]] },
  'a date': { field: 'date', steps: [click(at(300, 30)), ['type', { text: '01022024' }]] },
  'an editor': { field: 'rich', steps: [click(RICH), X] },
  'a part of an editor': { field: 'partly', steps: [click(PARTLY), X] },
  'all of an editor with such a part': {
    field: 'partly',
    steps: [click(PARTLY), key('Control+a'), key('Delete')],
  },
  'a shadow tree': { field: 'open', steps: [click(at(20, 550)), X] },
  'a closed shadow tree': { field: 'closed', steps: [click(at(60, 550)), X] },
  'the reset of its form': { field: 'kept', steps: [click(at(140, 560))] },
  'a frame of another origin': { field: 'frame', steps: [click(at(200, 550)), X] },
  'a batch': {
    field: 'plain',
    steps: [
      [
        'batch',
        {
          actions: [
            { type: 'click', ...PLAIN },
            { type: 'type', text },
          ],
          continue_on_error: true,
        },
      ],
    ],
  },
};

const SELECT_ALL = `document.activeElement.blur(); getSelection().selectAllChildren(document.body)`;
const PASTE: readonly CallStep[] = [`byId('free').value = ''`, click(FREE), key('Control+v')];

/** Ways to bring the content of masked fields into the unmasked one, which the program reads. */
export const COPY_WAYS: Readonly<Record<string, readonly CallStep[]>> = {
  'the text of a field': [`${focus('plain')}; byId('plain').select()`, key('Control+c'), ...PASTE],
  'a field, cut': [`${focus('plain')}; byId('plain').select()`, key('Control+x'), ...PASTE],
  'the text of an editor': [
    `${focus('rich')}; getSelection().selectAllChildren(byId('rich'))`,
    key('Control+c'),
    ...PASTE,
  ],
  'a selection of the whole page': [SELECT_ALL, key('Control+c'), ...PASTE],
  'a selection by a key': [click({ x: 700, y: 350 }), key('Control+a'), key('Control+c'), ...PASTE],
  'a selection, by Insert': [SELECT_ALL, key('Control+Insert'), ...PASTE],
  'a selection, from the menu': [SELECT_ALL, click(RICH, { button: 'right' }), key('c'), ...PASTE],
  'a selection, dragged': [SELECT_ALL, ['drag', { path: [RICH, at(200, 170), at(100, 150), FREE] }]],
};
