import { isDeepStrictEqual } from 'node:util';
import type { Client as PgClient } from 'pg';
import type { ApiClient, ApiResponse } from './api-client.js';
import { olderTransactionsEnd } from './older-transactions.js';

type Json = ApiResponse['body'];

/** A copy of all records of an account, updated by `GET /v1/changes` only. */
export class Mirror {
  readonly records = new Map<string, Json>();
  told = 0;
  cursor: string | undefined;

  constructor(
    private client: ApiClient,
    private readonly perPage = 50,
  ) {}

  /** Switches to another process. */
  ask(client: ApiClient): void {
    this.client = client;
  }

  /** Reads one page. Returns whether it was the last at that moment. */
  async follow(wait = 0): Promise<boolean> {
    const query = new URLSearchParams({ per_page: String(this.perPage), wait: String(wait) });
    if (this.cursor !== undefined) query.set('cursor', this.cursor);
    const { status, body, text } = await this.client.get(`/v1/changes?${query}`);
    if (status !== 200) throw new Error(`${status} ${text}`);
    for (const { type, id, deleted, record } of body.changes) {
      if (deleted) this.records.delete(`${type} ${id}`);
      else this.records.set(`${type} ${id}`, record);
    }
    this.told += body.changes.length;
    this.cursor = body.meta.cursor;
    return body.meta.pagination.next_page === null;
  }

  /** Everything committed before this call. The feed waits for transactions that began before. */
  async catchUp(sql: PgClient): Promise<number> {
    await olderTransactionsEnd(sql);
    const before = this.told;
    while (!(await this.follow()));
    return this.told - before;
  }
}

/**
 * The differences of the copy: each record must equal the response of its own address, and every listed record must be
 * present.
 */
export async function differencesToApi(mirror: Mirror, client: ApiClient): Promise<object[]> {
  const differences: object[] = [];
  for (const [key, record] of mirror.records) {
    const { body, status } = await client.get(new URL(record.href).pathname);
    const { meta: _, ...named } = body ?? {};
    const copied = withoutPasses(record);
    const current = status === 200 ? withoutPasses(Object.values(named)[0]) : status;
    if (!isDeepStrictEqual(copied, current)) differences.push({ key, copied, current });
  }
  for (const key of await listedKeys(client)) if (!mirror.records.has(key)) differences.push({ key, copied: null });
  return differences;
}

/**
 * The address of a file's bytes expires after half an hour and differs each time. Each process of a test has its own
 * base address.
 */
export const withoutPasses = (record: unknown): unknown =>
  JSON.parse(JSON.stringify(record).replaceAll(/http:\/\/(127\.0\.0\.1|localhost):\d+/g, ''), (name, value: unknown) =>
    name === 'url' ? undefined : value,
  );

async function listedKeys(client: ApiClient): Promise<string[]> {
  const keys: string[] = [];
  for (const [type, path, plural] of [
    ['agent', '/v1/agents', 'agents'],
    ['group', '/v1/groups', 'groups'],
    ['mailbox', '/v1/mailboxes', 'mailboxes'],
    ['customer', '/v1/customers', 'customers'],
    ['ticket', '/v1/tickets', 'tickets'],
  ] as const)
    for (const { id } of await listAll(client, path, plural)) keys.push(`${type} ${id}`);
  for (const key of keys.filter((each) => each.startsWith('ticket ')))
    for (const message of await listAll(client, `/v1/tickets/${key.split(' ')[1]}/messages`, 'messages'))
      keys.push(`message ${message.id}`, ...message.attachments.map(({ id }: { id: string }) => `attachment ${id}`));
  return keys;
}

export async function listAll(client: ApiClient, path: string, plural: string): Promise<Json[]> {
  const items: Json[] = [];
  for (let next: string | null = `${path}?per_page=50`; next !== null;) {
    const { body }: ApiResponse = await client.get(next);
    items.push(...body[plural]);
    const after: string | null = body.meta.pagination.next_page;
    next = after && new URL(after).pathname + new URL(after).search;
  }
  return items;
}
