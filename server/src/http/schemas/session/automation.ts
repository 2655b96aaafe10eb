import { Type } from 'typebox';

const webSocketDebuggerUrl = Type.String({ description: 'The address for `connectOverCDP`.' });

/** Answer of `GET {session}/json/version`, in the form of Chromium. */
export const DevToolsVersion = Type.Object({
  Browser: Type.String(),
  'Protocol-Version': Type.String(),
  webSocketDebuggerUrl,
});

/** Answer of `GET {session}/json/list`, in the form of Chromium. */
export const DevToolsPages = Type.Array(
  Type.Object({
    id: Type.String({ description: 'Number of the tab.' }),
    type: Type.String({ enum: ['page'] }),
    title: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
    webSocketDebuggerUrl,
  }),
);
