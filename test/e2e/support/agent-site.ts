import type { RequestListener } from 'node:http';
import { AnsweringServer } from './answering-server.js';

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

/**
 * Starts a site with a form, for programs that drive a browser. It has a frame of another origin. Resolves to
 * the address of the form, without a slash at its end.
 */
export async function startAgentSite(): Promise<string> {
  const frame = await AnsweringServer.start((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<button onclick="this.textContent = 'framed'">Frame</button>`);
  });
  const answer: RequestListener = ({ url = '/' }, response) => {
    const [path, query = ''] = url.split('?');
    if (path === '/report.txt') {
      const headers = {
        'content-type': 'text/plain',
        'content-disposition': 'attachment; filename=report.txt',
      };
      response.writeHead(200, headers).end('report');
      return;
    }
    response.setHeader('content-type', 'text/html');
    if (path === '/two') response.end('<title>Two</title><p>The second page');
    else if (path === '/done') response.end(`<title>Done</title><p id="got">${query}`);
    else response.end(`${FORM}<iframe src="${frame.url}/frame"></iframe>`);
  };
  return (await AnsweringServer.start(answer)).url;
}
