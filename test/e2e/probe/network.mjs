import { open, say } from './sockets.mjs';

export const NETWORK = {
  'connects to a name in the abstract namespace of sockets': ({ abstractName }) =>
    open([`\0${abstractName}`]),
  'connects to a port of the machine': async ({ ports }) => {
    const answers = await Promise.all(
      ports.map((port) =>
        say({ host: '127.0.0.1', port }).then(
          () => port,
          () => undefined,
        ),
      ),
    );
    return answers.filter(Boolean).join(' ');
  },
};
