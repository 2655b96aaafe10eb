import type { Guard } from './guard.js';

const READING = 'test/unit/host/accessibility/accessibility-reading.test.ts';
const PARTS = 'test/unit/host/accessibility/accessibility-parts.test.ts';
const TELLING = 'test/unit/host/accessibility/accessibility-telling.test.ts';
const DESK = 'server/src/host/features/accessibility/accessibility-service.ts';
const INSIDE = 'server/src/host/browser/accessibility/reading/inside-reader.ts';

/** Guards that restrict a page's accessibility tree to users with the role and limit its cost. */
export const ACCESSIBILITY_GUARDS: readonly Guard[] = [
  {
    name: 'only users who see the picture receive a tree',
    edits: [
      {
        file: DESK,
        search: 'const shown = hidden ? undefined : this.#browser?.accessibility;',
        replace: 'const shown = this.#browser?.accessibility;',
      },
    ],
    proofs: [
      {
        file: TELLING,
        title: 'is withdrawn from users excluded by privacy mode',
      },
    ],
  },
  {
    name: 'a tree does not contain the content of masked fields',
    edits: [
      {
        file: 'server/src/host/features/accessibility/tree-reporter.ts',
        search: 'const secrets = tree && !mayWrite && tree.secrets.size > 0 ? new Secrets(tree) : undefined;',
        replace: 'const secrets = tree && mayWrite && mayWrite === false ? new Secrets(tree) : undefined;',
      },
    ],
    proofs: [
      {
        file: TELLING,
        title: 'is not sent as the name of the field or of its children',
      },
    ],
  },
  {
    name: 'a tree is sent only after the masks are known',
    edits: [
      {
        file: DESK,
        search: "if (shown?.masking && !mayWrite && shown.state === 'reading') continue;",
        replace: '',
      },
    ],
    proofs: [
      {
        file: TELLING,
        title: 'is not sent before the mask is known, or after the content has left the field',
      },
    ],
  },
  {
    name: 'a tree contains no passwords',
    edits: [
      {
        file: 'server/src/host/browser/accessibility/reading/read-field.ts',
        search: '    delete facts.value;\n',
        replace: '',
      },
    ],
    proofs: [{ file: TELLING, title: 'never contains a password or its dots' }],
  },
  {
    name: 'only users with control can act on a tree',
    edits: [{ file: DESK, search: 'if (!this.#recorder.acts(viewer))', replace: 'if (!this.#recorder)' }],
    proofs: [{ file: TELLING, title: 'is refused for users without control, and for backends' }],
  },
  {
    name: 'actions on a tree cannot write into masked fields',
    edits: [
      {
        file: 'server/src/host/input/accessibility-actions.ts',
        search: 'if (!this.masks || mayWrite) return false;',
        replace: 'if (!this.masks || mayWrite || key > 0) return false;',
      },
    ],
    proofs: [
      {
        file: 'test/unit/host/accessibility/accessibility-actions.test.ts',
        title: 'puts no input into a masked field for users without the role',
      },
    ],
  },
  {
    name: 'a tree has a limited size',
    edits: [
      {
        file: 'server/src/host/browser/accessibility/live-tree.ts',
        search: 'if (tooDeep || (!known && this.#byId.size >= MAX_NODES)) return undefined;',
        replace: 'if (tooDeep && MAX_NODES > 0) return undefined;',
      },
      {
        file: 'server/src/host/browser/accessibility/live-tree.ts',
        search: '.slice(0, room);',
        replace: '.slice(0, room + 1e9);',
      },
    ],
    proofs: [{ file: READING, title: 'has a limit of nodes' }],
  },
  {
    name: 'a message of a page has a limited size',
    edits: [
      {
        file: 'server/src/host/browser/cdp/answer-limits.ts',
        search: 'const MAX_PAGE_WORDS_BYTES = 2 * MIB;',
        replace: 'const MAX_PAGE_WORDS_BYTES = MAX_MESSAGE_BYTES;',
      },
    ],
    proofs: [
      {
        file: 'test/unit/host/browser/cdp-session.test.ts',
        title: 'continues after a message that is too large, and notifies the caller that waits for it',
      },
    ],
  },
  {
    name: 'the tree of a page that sends too much is abandoned',
    edits: [
      {
        file: 'server/src/host/browser/accessibility/reading/read-answers.ts',
        search: 'if (weight > MAX_ANSWER_CHARS)',
        replace: 'if (weight < 0 * MAX_ANSWER_CHARS)',
      },
    ],
    proofs: [
      {
        file: READING,
        title: 'is abandoned for a page that sends too much at once, and the browser continues',
      },
    ],
  },
  {
    name: 'large parts of a page are requested node by node',
    edits: [{ file: INSIDE, search: 'count && count.most <= MAX_WHOLE', replace: 'count' }],
    proofs: [{ file: PARTS, title: 'is one request per node for a large child' }],
  },
];
