import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { render } from '../server-rendering/render.js';
import { agentRoutes } from './agent-routes.js';
import { Room } from './sessions.js';

const {
  SERVICE_URL = 'http://localhost:8080',
  API_KEY = '',
  ADMIN_PASSWORD = '',
  START_URL = 'https://example.com',
  PORT = '3000',
} = process.env;

const PAGES = join(import.meta.dirname, '../dist');
const room = new Room(SERVICE_URL, API_KEY, START_URL);
const app = express();

app.post('/api/session', async (_request, response) => {
  const { embed_url: embedUrl } = await room.session();
  response.json({ embedUrl });
});

// Only admins get the admin token.
app.post('/api/admin', express.json(), async (request, response) => {
  const { password } = (request.body ?? {}) as { password?: unknown };
  if (typeof password !== 'string' || !isAdmin(password)) {
    response.status(403).json({ error: 'This is not the password.' });
    return;
  }
  const { embed_url: embedUrl, admin_token: adminToken } = await room.session();
  response.json({ embedUrl, adminToken });
});

app.use('/api/agent', agentRoutes(SERVICE_URL, API_KEY));

app.get('/server-rendering/', async (_request, response) => {
  const { embed_url: embedUrl } = await room.session();
  const page = await readFile(join(PAGES, 'server-rendering/index.html'), 'utf8');
  response.type('html').send(render(page, { embedUrl }));
});

app.use(express.static(PAGES));

/** Compares passwords in constant time. Without a configured password there are no admins. */
function isAdmin(password: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return ADMIN_PASSWORD !== '' && timingSafeEqual(digest(password), digest(ADMIN_PASSWORD));
}

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`The examples are at http://127.0.0.1:${port}/`);
});
