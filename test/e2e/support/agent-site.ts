import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './cleanup.js';

const FORM = `<!doctype html><title>Form</title>
  <h1>Order</h1>
  <form action="/done"><label>Name <input name="name"></label>
  <label>Size <select name="size"><option>small<option>large</select></label>
  <label><input type="checkbox" name="gift"> Gift</label><button>Send</button></form>
  <button id="press" onclick="this.textContent = 'pressed ' + event.isTrusted">Press</button>
  <button id="late" onclick="setTimeout(() => { said.textContent = 'late' }, 100)">Late</button>
  <button id="ask" onclick="said.textContent = String(confirm('Sure?'))">Ask</button>
  <button id="hover" onmouseover="said.textContent = 'over'">Hover</button>
  <input id="keys" onkeydown="said.textContent += event.key">
  <input id="file" type="file" onchange="files[0].text().then((text) => { said.textContent = files[0].name + text })">
  <a id="download" href="/report.txt" download>Report</a> <a id="popup" href="/two" target="_blank">Two</a>
  <p id="said"></p>`;

/** A site with a form, for programs that drive a browser. It has a frame of another origin. */
export class AgentSite {
  private constructor(
    private readonly site: Server,
    private readonly other: Server,
  ) {}

  static async start(): Promise<AgentSite> {
    const servers = [createServer(), createServer()] as const;
    const agentSite = new AgentSite(...servers);
    for (const server of servers) {
      server.on('request', ({ url = '/' }, response) => {
        const path = url.split('?')[0];
        if (path === '/report.txt')
          response.setHeader('content-disposition', 'attachment; filename=report.txt');
        response.setHeader('content-type', path === '/report.txt' ? 'text/plain' : 'text/html');
        response.end(agentSite.#body(path ?? '/', url));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      atEnd(async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      });
    }
    return agentSite;
  }

  /** Address of the form, without a slash at its end. */
  get url(): string {
    return addressOf(this.site);
  }

  #body(path: string, url: string): string {
    switch (path) {
      case '/two':
        return '<title>Two</title><p>The second page';
      case '/done':
        return `<title>Done</title><p id="got">${url.slice(url.indexOf('?') + 1)}`;
      case '/report.txt':
        return 'report';
      case '/frame':
        return `<button onclick="this.textContent = 'framed'">Frame</button>`;
      default:
        return `${FORM}<iframe src="${addressOf(this.other)}/frame"></iframe>`;
    }
  }
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
