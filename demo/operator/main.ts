/**
 * Page for operators of the service: its nodes now and in the last hour, from `GET /v0/nodes`. With an API
 * key it also shows the running sessions and the recordings.
 */
import { exchangeSecret } from '../api-key.js';
import { ApiError } from '../api.js';
import { find, onAction, setText } from '../dom.js';
import { askNodes } from './nodes/ask-nodes.js';
import { ChartsView } from './charts/charts-view.js';
import { ClusterHistory } from './nodes/cluster-history.js';
import { curvesOf } from './charts/curves.js';
import { KeyForm } from './key-form.js';
import { NodeTable } from './nodes/node-table.js';
import type { NodesAnswer } from './nodes/nodes-answer.js';
import { OperatorKey } from './operator-key.js';
import { Outage } from './nodes/outage.js';
import { PAGE_CLOCK } from './page-clock.js';
import { totalsOf } from './totals.js';
import { TotalsView } from './totals-view.js';
import { RecordingsPanel } from '../recordings/recordings-panel.js';
import { SessionsPanel } from './sessions/sessions-panel.js';
import { Watch } from './watch.js';
import { moodOf, nodesText } from './words.js';

const REFUSED = 'The service does not know this operator key. Enter one of its OPERATOR_KEYS.';

await exchangeSecret();
const key = new OperatorKey();
const form = new KeyForm((entered) => {
  key.enter(entered);
  begin();
});
const views = { totals: new TotalsView(), table: new NodeTable(), charts: new ChartsView() };
const outage = new Outage();
const sessions = new SessionsPanel();
new RecordingsPanel();
let history = new ClusterHistory();

const watch = new Watch<{ answer: NodesAnswer; seconds: number }>({
  async ask() {
    const seconds = history.secondsToAsk(performance.now());
    return { answer: await askNodes(key.value ?? '', seconds), seconds };
  },
  clock: PAGE_CLOCK,
  onAnswer: ({ answer, seconds }) => show(answer, seconds),
  onFailure(error, pause) {
    if (error instanceof ApiError && error.status === 401) refused();
    else outage.show(error, pause);
  },
});

document.addEventListener('visibilitychange', () => (document.hidden ? watch.pause() : watch.resume()));
if (document.hidden) watch.pause();
onAction('try-now', () => watch.askNow());
onAction('forget', () => {
  key.forget();
  askForKey();
});
if (key.value === null) askForKey();
else begin();

function begin(): void {
  history = new ClusterHistory();
  outage.end();
  setPhase('loading');
  watch.start();
}

function show(answer: NodesAnswer, seconds: number): void {
  const now = performance.now();
  history.add(answer, seconds, now);
  outage.end();
  setPhase('live');
  const moments = history.moments(now);
  views.totals.show(totalsOf(answer.nodes, moments, history.interval));
  views.table.show(answer.nodes);
  views.charts.show(curvesOf(moments, history.interval));
  find('.live .status').dataset['mood'] = moodOf(answer.nodes);
  setText(find('.status-text'), nodesText(answer.nodes));
}

/**
 * Asks for a new key. An error is shown only for a key that the visitor entered, not for one that the demo
 * kept from an earlier run.
 */
function refused(): void {
  const { entered } = key;
  key.forget();
  askForKey();
  if (entered) form.refuse(REFUSED);
}

function askForKey(): void {
  watch.stop();
  sessions.close();
  outage.end();
  setPhase('ask');
  form.focus();
}

function setPhase(phase: 'loading' | 'ask' | 'live'): void {
  document.body.dataset['phase'] = phase;
}
