// A page of an extension that runs in a sandbox, with an origin of its own that nothing else has.
import Hyperbeam from './client.js';
import { asked, customer, run, screen } from './asked.js';

run(async () => {
  customer.origin = self.origin;
  const hb = await Hyperbeam(screen, asked.embedUrl, { timeout: 20_000 });
  const [tab] = await hb.tabs.query({});
  customer.tab = tab.url;
  customer.cursor = () => screen.shadowRoot.getElementById('vid').style.cursor;
});
