import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { FileStore } from '#libs/storage';
import { AttachmentsService, type RequestContext } from '#libs/tickets';
import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { eventually } from '#test/support/eventually.js';

const desk = deskForFile();

const context = (): RequestContext => ({
  accountId: desk.account.id,
  agentId: desk.account.owner.id,
  role: 'owner',
  applicationId: null,
  requestId: null,
});

async function* uploads(words: string) {
  yield { name: 'words.txt', contentType: 'text/plain', content: Readable.from([Buffer.from(words)]) };
}

async function read(id: string): Promise<string | null> {
  const file = await desk.api.get(FileStore, { strict: false }).open({ accountId: desk.account.id, id });
  return file && text(file);
}

const isAwaited = async (): Promise<boolean> =>
  (await desk.sql.query('select from pg_locks where not granted')).rowCount! > 0;

/** Simulates a lost response to the commit of the transaction that takes it. */
async function discardBeside(words: string, end: 'commit' | 'rollback'): Promise<string> {
  let id = '';
  const attachments = desk.api.get(AttachmentsService, { strict: false });
  const discarded = attachments.receive(context(), uploads(words), async (received) => {
    ({ id } = received[0]!);
    await desk.sql.query('begin');
    await desk.sql.query('delete from stray_files where id = $1', [id]);
    throw new Error('the answer is lost');
  });
  const ended = eventually(isAwaited).then(() => desk.sql.query(end));
  await expect(discarded).rejects.toThrow('the answer is lost');
  await ended;
  return id;
}

describe('a discarded file', () => {
  it('stays if a message uses it, though the commit was not confirmed', async () => {
    const id = await discardBeside('kept', 'commit');

    expect(await read(id)).toBe('kept');
  });

  it('disappears if the transaction rolled back', async () => {
    const id = await discardBeside('gone', 'rollback');

    expect(await read(id)).toBeNull();
    expect((await desk.sql.query('select from stray_files where id = $1', [id])).rowCount).toBe(0);
  });
});
