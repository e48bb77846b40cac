import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

interface Registered {
  readonly id: string;
  readonly owner: string | null;
  readonly event: string;
  readonly url: string;
}

const BATCH = 1000;

/**
 * One webhook for one maker, kind of event and address. Of those that are the same already, the first gets the key and the
 * others stay without one: they go on as they are, and only a new one is refused.
 */
export class RegisterOnce1763600036000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhooks add column registration_key bytea');
    await runner.query('create unique index webhooks_registration_idx on webhooks (account_id, registration_key)');
    for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
      const rows = (await runner.query(
        `select id, coalesce(application_id, agent_id) as owner, event, url from webhooks where id > $1 order by id limit ${BATCH}`,
        [after],
      )) as Registered[];
      if (rows.length === 0) return;
      await keyEach(runner, rows);
      after = rows.at(-1)!.id;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhooks drop column registration_key');
  }
}

/** The oldest first; what has the key of an older one is left out. */
async function keyEach(runner: QueryRunner, rows: readonly Registered[]): Promise<void> {
  const readable = rows.filter(({ owner, url }) => owner !== null && URL.canParse(url));
  await runner.query(
    `update webhooks w set registration_key = k.key
     from (select distinct on (x.account_id, r.key) r.id, r.key, x.account_id from unnest($1::uuid[], $2::bytea[]) as r(id, key)
       join webhooks x on x.id = r.id order by x.account_id, r.key, r.id) k
     where w.id = k.id and not exists (
       select from webhooks other where other.account_id = k.account_id and other.registration_key = k.key)`,
    [readable.map(({ id }) => id), readable.map(keyOf)],
  );
}

function keyOf({ owner, event, url }: Registered): Buffer {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const host = `${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? 443 : 80)}`;
  return createHash('sha256').update(`${owner} ${event} ${protocol}//${host}${pathname}${search}`).digest();
}
