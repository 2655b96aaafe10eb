import 'cloud-browser/element';
import type { AgentReport } from '../backend/agent.js';

const browser = document.querySelector('cloud-browser');
const state = document.querySelector('#state');
const list = document.querySelector('ol');
const report = document.querySelector('#report');
const again = document.querySelector('button');
if (!browser || !state || !list || !report || !again) throw new Error('The page has lost its parts.');

browser.addEventListener('statechange', (event) => {
  state.textContent = event.state;
});
again.addEventListener('click', () => void run());
await run();

/** Starts the agent on the server, and shows its session and its steps. */
async function run(): Promise<void> {
  if (!browser || !again || !report) return;
  again.disabled = true;
  report.textContent = '';
  const phone = matchMedia('(width <= 700px)').matches;
  const response = await fetch(`/api/agent?size=${phone ? 'phone' : 'desktop'}`, { method: 'POST' });
  if (!response.ok) {
    report.textContent = `The backend answered ${response.status}.`;
    again.disabled = false;
    return;
  }
  const { id, embedUrl } = (await response.json()) as { id: string; embedUrl: string };
  browser.embedUrl = embedUrl;
  const reports = new EventSource(`/api/agent/${id}`);
  reports.onmessage = ({ data }: MessageEvent<string>) => {
    const { steps, ended, failure } = JSON.parse(data) as AgentReport;
    show(steps);
    if (!ended) return;
    reports.close();
    again.disabled = false;
    report.textContent = failure ?? 'The order is placed.';
  };
}

function show(steps: AgentReport['steps']): void {
  list?.replaceChildren(
    ...steps.map(({ text, state: now }) => {
      const item = document.createElement('li');
      item.className = now;
      item.textContent = text;
      return item;
    }),
  );
}
