import { CloudBrowserApi } from 'cloud-browser/api';
import { Router } from 'express';
import { FlowerAgent } from './agent.js';

/** Sizes of the screen for the two layouts of the page. */
const SIZES = { desktop: { width: 960, height: 700 }, phone: { width: 390, height: 680 } };

/** Milliseconds for which the report of an agent that has ended is kept. */
const REPORT_MS = 60_000;

/**
 * Returns the routes of the agent: `POST` starts a session and an agent in it, `GET` reports its progress as
 * server-sent events.
 */
export function agentRoutes(baseUrl: string, apiKey: string): Router {
  const api = new CloudBrowserApi({ baseUrl, apiKey });
  const agents = new Map<string, FlowerAgent>();
  const routes = Router();

  routes.post('/', async (request, response) => {
    const size = request.query['size'] === 'phone' ? SIZES.phone : SIZES.desktop;
    const session = await api.createSession({
      ...size,
      start_url: FlowerAgent.SHOP,
      kiosk: true,
      automation: { name: 'Flower agent' },
      timeout: { offline: 60 },
    });
    const agent = new FlowerAgent(session);
    agents.set(session.session_id, agent);
    // A page that reconnects can still read the result for a while.
    void agent.run().then(() => setTimeout(() => agents.delete(session.session_id), REPORT_MS).unref());
    // Only the embed URL goes to the page. The addresses for programs stay here.
    response.json({ id: session.session_id, embedUrl: session.embed_url });
  });

  routes.get('/:id', (request, response) => {
    const agent = agents.get(request.params.id);
    if (!agent) {
      response.status(404).end();
      return;
    }
    response.set({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders();
    const send = () => response.write(`data: ${JSON.stringify(agent.report)}\n\n`);
    agent.onReport = send;
    send();
    response.on('close', () => {
      if (agent.onReport === send) agent.onReport = () => undefined;
    });
  });
  return routes;
}
