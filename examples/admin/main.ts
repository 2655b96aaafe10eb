import type { CloudBrowserClient } from 'cloud-browser';
import 'cloud-browser/element';

interface AdminAnswer {
  embedUrl: string;
  adminToken: string;
}

const browser = document.querySelector('cloud-browser');
const form = document.querySelector('form');
const list = document.querySelector('#users');
const words = document.querySelector('#state');
if (!browser || !form || !list || !words) throw new Error('The page has lost its parts.');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  enter(String(new FormData(form).get('password'))).catch((error: unknown) => {
    words.textContent = String(error);
  });
});

async function enter(password: string): Promise<void> {
  const response = await fetch('/api/admin', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  });
  if (!response.ok) throw new Error(`The backend answered ${response.status}.`);
  const { embedUrl, adminToken } = (await response.json()) as AdminAnswer;
  Object.assign(browser!, { adminToken, embedUrl });
}

browser.addEventListener('statechange', ({ state }) => {
  words.textContent = state;
});

// Runs once per session. Listeners of the client stay active over reconnects.
browser.addEventListener('viewer', ({ viewer: { client } }) => {
  const show = () => void showUsers(client).catch(console.error);
  client.on('welcome', show);
  for (const name of ['joined', 'left', 'changed'] as const) client.users.on(name, show).catch(console.error);
});

async function showUsers(client: CloudBrowserClient): Promise<void> {
  const users = await client.users.list();
  list!.replaceChildren(
    ...users.map(({ id, controlling }) => {
      const item = document.createElement('li');
      item.append(`${id === client.userId ? 'You' : id}${controlling ? ', in control' : ''} `);
      const press = (label: string, action: () => Promise<unknown>) => {
        const button = document.createElement('button');
        button.textContent = label;
        button.addEventListener('click', () => void action().catch(console.error));
        item.append(button);
      };
      press('Give control', () => client.users.giveControl(id));
      if (id !== client.userId) press('Remove', () => client.users.kick(id));
      return item;
    }),
  );
}
