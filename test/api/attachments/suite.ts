import { randomBytes } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { collectGarbage } from '#test/support/collect-garbage.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { NEW_RECORDS } from '#test/support/new-records.js';
import { seedAccount } from '#test/support/seed.js';
import { type TestFile, formOf, postFiles, rawForm } from '#test/support/upload.js';

const MIB = 1024 * 1024;

/** Where a test run stores the files. */
export interface Store {
  url(): string;
  /** The names of all files, complete or not. */
  files(): Promise<string[]>;
  /** The limit of memory for uploads. */
  readonly mostHeld: number;
  stop(): Promise<void>;
}

let desk: Desk;
let store: Store;
let message: string;

const attach = (...files: TestFile[]) => postFiles(desk, message, formOf(files));

function openUpload(): ClientRequest {
  return request(new URL(`/v1/messages/${message}/attachments`, desk.base), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${desk.account.owner.token}`,
      'content-type': 'multipart/form-data; boundary=edge',
    },
  });
}

async function rowsKept(): Promise<{ attachments: number; stray: number }> {
  const { rows } = await desk.sql.query(
    'select (select count(*)::int from attachments) as attachments, (select count(*)::int from stray_files) as stray',
  );
  return rows[0];
}

/** Counts the files and rows that `act` leaves behind. */
async function leftBy(act: () => Promise<unknown>): Promise<object> {
  const [files, rows] = [await store.files(), await rowsKept()];
  await act();
  const [filesAfter, rowsAfter] = [await store.files(), await rowsKept()];
  return {
    files: filesAfter.length - files.length,
    attachments: rowsAfter.attachments - rows.attachments,
    stray: rowsAfter.stray - rows.stray,
  };
}

/** Bytes in use, without garbage. */
async function bytesHeld(): Promise<number> {
  await collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const small = () => formOf([{ name: 'a.txt', bytes: 'a' }]);

const several = (count: number): TestFile[] =>
  Array.from({ length: count }, (_, at) => ({ name: `${at}.txt`, bytes: `${at}` }));

const NOTHING = { files: 0, attachments: 0, stray: 0 };

const download = (url: string, headers: Record<string, string> = {}) =>
  fetch(url.replace(desk.settings.PUBLIC_URL, desk.base), { headers });

/** Tests that every file store must pass. */
export function describeAttachments(where: string, openStore: () => Promise<Store>): void {
  beforeAll(async () => {
    store = await openStore();
    desk = await startDesk({ settings: { STORAGE_URL: store.url() } });
  });
  afterAll(async () => {
    await desk.stop();
    await store.stop();
  });
  beforeEach(async () => {
    message = await NEW_RECORDS.message(desk);
  });

  describe(`POST /v1/messages/:id/attachments, in ${where}`, () => {
    it('stores files and shows them on the message, in the list and one by one', async () => {
      const { status, body, headers } = await attach(
        { name: "Rechnung Nº 7 – ä'%.pdf", type: 'application/pdf', bytes: 'one' },
        { name: 'empty.txt', bytes: '' },
      );

      expect(status).toBe(201);
      expect(body.attachments).toMatchObject([
        { name: "Rechnung Nº 7 – ä'%.pdf", content_type: 'application/pdf', size: 3 },
        { name: 'empty.txt', content_type: 'text/plain', size: 0 },
      ]);
      const list = await desk.client().get(headers.get('location')!.replace(desk.settings.PUBLIC_URL, ''));
      const shown = await desk.client().get(`/v1/messages/${message}`);
      const alone = await desk.client().get(`/v1/attachments/${body.attachments[0].id}`);
      expect(list.body.attachments).toEqual(body.attachments);
      expect(shown.body.message.attachments).toEqual(body.attachments);
      expect(alone.body.attachment).toEqual(body.attachments[0]);
    });

    it('accepts 20 MiB, and returns the same bytes or a range of them', async () => {
      const bytes = randomBytes(20 * MIB);

      const { status, body } = await attach({ name: 'large.bin', bytes });

      expect(status).toBe(201);
      const back = Buffer.from(await (await download(body.attachments[0].url)).arrayBuffer());
      expect(back.equals(bytes)).toBe(true);
      const part = await download(body.attachments[0].url, { range: 'bytes=9000000-9999999' });
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(9_000_000, 10_000_000))).toBe(true);
    });

    it('accepts 25 files and refuses 26', async () => {
      expect((await attach(...several(25))).body.attachments).toHaveLength(25);
      const left = await leftBy(async () => {
        const { status, body } = await attach(...several(26));
        expect([status, body.errors]).toMatchObject([422, [{ field: 'files', code: 'too_many_files' }]]);
      });

      expect(left).toEqual(NOTHING);
    });

    it('refuses a file that is too large, names it, and stores nothing', async () => {
      const left = await leftBy(async () => {
        const { status, body } = await attach(
          { name: 'small.txt', bytes: 'fits' },
          { name: 'huge.bin', bytes: Buffer.alloc(21 * MIB) },
          { name: 'later.txt', bytes: 'never read' },
        );
        expect([status, body.error]).toEqual([413, 'file_too_large']);
        expect(body.errors).toMatchObject([{ field: 'files.1', message: 'huge.bin is larger than 20 MiB' }]);
      });

      expect(left).toEqual(NOTHING);
    });

    it('stores nothing when an upload is aborted', async () => {
      const left = await leftBy(async () => {
        const upload = openUpload();
        upload.on('error', () => undefined);
        upload.write('--edge\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nwhole\r\n');
        upload.write('--edge\r\ncontent-disposition: form-data; name="files"; filename="b.bin"\r\n\r\n');
        upload.write(Buffer.alloc(3 * MIB));
        await eventually(async () => (await rowsKept()).stray === 2);
        upload.destroy();
        await eventually(async () => (await rowsKept()).stray === 0);
      });

      expect(left).toEqual(NOTHING);
    });

    it('accepts parallel uploads to one message', async () => {
      const contents = Array.from({ length: 8 }, () => randomBytes(MIB));

      const answers = await Promise.all(contents.map((bytes, at) => attach({ name: `${at}.bin`, bytes })));

      expect(answers.map(({ status }) => status)).toEqual(contents.map(() => 201));
      const { body } = await desk.client().get(`/v1/attachments?message=${message}`);
      expect(body.meta.pagination.total_count).toBe(8);
      for (const [at, { body: answer }] of answers.entries()) {
        const back = await (await download(answer.attachments[0].url)).arrayBuffer();
        expect(Buffer.from(back).equals(contents[at]!)).toBe(true);
      }
    });

    // The test measures memory, not time: 120 MiB take half a minute on a busy machine.
    it('holds only a few chunks in memory while six files of 20 MiB are uploaded', { timeout: 120_000 }, async () => {
      const piece = Buffer.alloc(MIB);
      const upload = openUpload();
      const answered = new Promise((resolve) => upload.on('response', resolve));
      const before = await bytesHeld();
      let most = 0;
      for (let file = 1; file <= 6; file++) {
        upload.write(`\r\n--edge\r\ncontent-disposition: form-data; name="files"; filename="${file}.bin"\r\n\r\n`);
        for (let sent = 0; sent < 20; sent++) {
          await new Promise((resolve) => upload.write(piece, resolve));
          // Measures in the middle and at the end of each file, because measuring takes far longer than sending.
          if (sent % 10 === 9) most = Math.max(most, (await bytesHeld()) - before);
        }
      }
      upload.end('\r\n--edge--\r\n');
      await answered;

      expect(most).toBeLessThan(store.mostHeld);
    });

    it.each([
      ['an empty name', 'filename=""', 'required'],
      ['a path', 'filename="../../etc/passwd"', 'not_a_name'],
      ['a path of another system', String.raw`filename="C:\\boot.ini"`, 'not_a_name'],
      ['dots alone', 'filename=".."', 'not_a_name'],
      ['a NUL', "filename*=UTF-8''a%00.txt", 'nul_character'],
      ['a line break', "filename*=UTF-8''a%0Ab.txt", undefined],
      ['letters turned around', 'filename="a\u202egnp.txt"', 'not_printable'],
      ['a very long name', `filename="${'x'.repeat(5000)}"`, 'too_long'],
      ['a program', 'filename="setup.EXE"', 'type_not_allowed'],
    ])('refuses %s as a file name', async (_, filename, code) => {
      const left = await leftBy(async () => {
        const { body: form, headers } = rawForm(`content-disposition: form-data; name="files"; ${filename}`);
        const { status, body } = await postFiles(desk, message, form, { headers });
        expect([status, body.errors]).toMatchObject([
          422,
          [code ? { field: 'files.0.name', code } : { field: 'files' }],
        ]);
      });

      expect(left).toEqual(NOTHING);
    });

    it('stores two files of the same name separately, and refuses an invalid content type', async () => {
      const twice = await attach({ name: 'a.txt', bytes: '1' }, { name: 'a.txt', bytes: '2' });
      const { body: form, headers } = rawForm(
        'content-disposition: form-data; name="files"; filename="a.txt"\r\ncontent-type: nonsense',
      );
      const nonsense = await postFiles(desk, message, form, { headers });

      expect(twice.status).toBe(201);
      const contents = twice.body.attachments.map(async ({ url }: { url: string }) => (await download(url)).text());
      expect(await Promise.all(contents)).toEqual(['1', '2']);
      expect(nonsense.body.errors).toMatchObject([{ field: 'files.0.content_type', code: 'malformed' }]);
    });

    it('explains what is wrong with a body without files', async () => {
      const send = (body: FormData | string, type: string) =>
        postFiles(desk, message, body, { headers: { 'content-type': type } });

      const endless = '--edge\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\nx';
      const none = await postFiles(desk, message, formOf([]));

      expect(await send('{}', 'application/json')).toMatchObject({
        status: 415,
        body: { error: 'unsupported_media_type' },
      });
      expect([none.status, none.body.errors[0].field]).toEqual([422, 'files']);
      for (const answer of [
        await send('x', 'multipart/form-data'),
        await send(endless, 'multipart/form-data; boundary=edge'),
      ])
        expect([answer.status, answer.body.error]).toEqual([400, 'malformed_body']);
    });

    it('refuses files on other routes', async () => {
      const { body, headers } = rawForm('content-disposition: form-data; name="files"; filename="a.txt"');

      expect((await desk.client().post('/v1/tickets', body, headers)).status).toBe(415);
    });

    it('stores nothing for a message of another account', async () => {
      const other = await seedAccount(desk.sql);
      const left = await leftBy(async () => {
        const { token } = other.owner;
        expect((await postFiles(desk, message, small(), { token })).body.error).toBe('message_not_found');
      });

      expect(left).toEqual(NOTHING);
    });

    it('stores a file once per Idempotency-Key', async () => {
      const headers = { 'idempotency-key': 'upload' };

      const first = await postFiles(desk, message, small(), { headers });
      const second = await postFiles(desk, message, small(), { headers });

      expect(second.body).toEqual(first.body);
      expect((await desk.client().get(`/v1/attachments?message=${message}`)).body.attachments).toHaveLength(1);
    });
  });
}
