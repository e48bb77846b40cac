// @module-tag long
import { execFileSync } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, postMail, processed, whatBecameOf } from '#test/support/mails.js';

const desk = deskForFile();

async function storedAt(id: string): Promise<string> {
  const names = await readdir(desk.environment['DATA_DIR']!, { recursive: true });
  return path.join(
    desk.environment['DATA_DIR']!,
    names.find((name) => name.includes(id))!,
  );
}

/** Posts an email that looks like one whose first try failed, due since `dueSince`. */
async function postTried(raw: string, dueSince: string): Promise<{ id: string; href: string }> {
  const { arrival } = (await postMail(desk, raw)).body;
  await desk.sql.query('update arrivals set tries = 1, due_at = $2 where id = $1', [arrival.id, dueSince]);
  return arrival as { id: string; href: string };
}

const rowOf = async (id: string): Promise<{ state: string; tries: number }> =>
  (await desk.sql.query<{ state: string; tries: number }>('select state, tries from arrivals where id = $1', [id]))
    .rows[0]!;

it('retries emails one at a time, without blocking other emails', async () => {
  const raw = mailText({ Subject: 'Slow' });
  const slow = await postTried(raw, '2020-01-01T12:00:00Z');
  const next = await postTried(mailText(), '2020-01-01T12:00:01Z');
  const place = await storedAt(slow.id);
  await rm(place);
  // Reading the pipe blocks until the test writes to it.
  execFileSync('mkfifo', [place]);
  const worker = await desk.worker();
  await eventually(async () => (await rowOf(slow.id)).tries === 2);
  const beside = await processed(desk, mailText());
  const meanwhile = [(await rowOf(slow.id)).state, (await rowOf(next.id)).state];
  await writeFile(place, raw);
  const [first, second] = [await whatBecameOf(desk, slow), await whatBecameOf(desk, next)];
  await worker.stop();

  expect([beside.arrival.state, ...meanwhile]).toEqual(['processed', 'waiting', 'waiting']);
  expect([first.ticket.title, second.arrival.state]).toEqual(['Slow', 'processed']);
});

it('retries an email that crashes the worker, which after five crashes becomes a ticket with the original file', async () => {
  const [often, once] = [mailText({ Subject: 'Five' }), mailText({ Subject: 'Four' })];
  const posted = [await postMail(desk, often), await postMail(desk, once)].map(({ body }) => body.arrival);
  // The rows look as if workers had died: a try is counted when a worker takes the mail.
  for (const [place, { id }] of posted.entries())
    await desk.sql.query('update arrivals set tries = $2 where id = $1', [id, 5 - place]);
  const worker = await desk.worker();
  const [killed, read] = [await whatBecameOf(desk, posted[0]), await whatBecameOf(desk, posted[1])];
  await worker.stop();

  expect([killed.arrival.state, killed.arrival.reason, killed.ticket.title]).toEqual([
    'unreadable',
    'crash',
    'Unreadable email',
  ]);
  expect(killed.message.attachments).toMatchObject([{ name: 'mail.eml', size: Buffer.byteLength(often) }]);
  expect([read.arrival.state, read.ticket.title]).toEqual(['processed', 'Four']);
});
