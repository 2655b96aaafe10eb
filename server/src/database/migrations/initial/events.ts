/** Webhook events that are not delivered yet, each with the node that delivers it. */
export const sql = `
create table events (
  id text primary key,
  node char(6) not null,
  session_id text not null,
  event text not null
);
create index events_of_node on events (node, id);
`;
