/**
 * The webhooks to which something is owed, found by hopping through an index, so that a long backlog of one costs nothing.
 * The first table of a `with recursive`; its last row is null.
 */
export const OWED_LANES = `lane as (
     (select webhook_id from owed_deliveries order by webhook_id limit 1)
     union all
     select (select o.webhook_id from owed_deliveries o where o.webhook_id > l.webhook_id order by o.webhook_id limit 1)
     from lane l where l.webhook_id is not null
   )`;
