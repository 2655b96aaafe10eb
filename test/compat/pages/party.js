// A watch party: all users see one session. Its host has the admin token and grants permissions.
import Hyperbeam from './client.js';
import { asked, customer, run, screen } from './asked.js';

run(async () => {
  customer.cursors = [];
  customer.states = [];
  const hb = await Hyperbeam(screen, asked.embedUrl, {
    timeout: 20_000,
    delegateKeyboard: true,
    adminToken: asked.adminToken,
    webhookUserdata: asked.userdata,
    onCursor: (cursor) => customer.cursors.push(cursor),
    onConnectionStateChange: ({ state }) => customer.states.push(state),
    onDisconnect: ({ type }) => (customer.disconnected = type),
  });
  customer.userId = hb.userId;
  customer.maxArea = hb.maxArea;
  // Actions of the page's buttons. The page shows the client's errors to its user.
  customer.call = async (method, ...args) => {
    try {
      return await hb[method](...args);
    } catch (error) {
      return `failed: ${error.message}`;
    }
  };
  customer.tab = async (url) => {
    const [tab] = await hb.tabs.query({ active: true });
    return (await hb.tabs.update(tab.id, { url })).id === tab.id;
  };
  customer.titles = [];
  await hb.tabs.onUpdated.addListener((_id, change) => change.title && customer.titles.push(change.title));
});
