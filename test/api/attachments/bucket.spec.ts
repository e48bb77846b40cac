// @module-tag long
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FakeBucket } from '#test/support/bucket/fake-bucket.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { NEW_RECORDS } from '#test/support/new-records.js';
import { formOf, postFiles } from '#test/support/upload.js';
import { describeAttachments } from './suite.js';

const MIB = 1024 * 1024;

describeAttachments('a bucket', async () => {
  const bucket = await FakeBucket.start();
  return {
    url: () => bucket.url(),
    files: () => bucket.files(),
    // Two parts, and the buffers of the client and the fake bucket for one.
    mostHeld: 80 * MIB,
    stop: () => bucket.stop(),
  };
});

describe('an unavailable bucket', () => {
  let bucket: FakeBucket;
  let desk: Desk;
  let message: string;
  beforeAll(async () => {
    bucket = await FakeBucket.start();
    desk = await startDesk({ settings: { STORAGE_URL: bucket.url() } });
    message = await NEW_RECORDS.message(desk);
  });
  afterAll(async () => {
    await desk.stop();
    await bucket.stop();
  });

  const attach = (size = 1) => postFiles(desk, message, formOf([{ name: 'a.bin', bytes: Buffer.alloc(size) }]));
  const download = (url: string) => fetch(url.replace(desk.settings.PUBLIC_URL, desk.base));
  const attached = async (): Promise<number> =>
    (await desk.client().get(`/v1/attachments?message=${message}`)).body.attachments.length;

  it.each([
    ['fails', 1, () => void (bucket.failsWith = 500), () => void (bucket.failsWith = undefined)],
    ['fails', 12 * MIB, () => void (bucket.failsWith = 500), () => void (bucket.failsWith = undefined)],
    ['is gone', 1, () => bucket.close(), () => bucket.open()],
    ['is gone', 12 * MIB, () => bucket.close(), () => bucket.open()],
  ])('returns 503 when it %s, for a file of %i bytes, and stores nothing', async (_, size, end, mend) => {
    const { body: before } = await attach();
    const [files, count] = [(await bucket.files()).length, await attached()];

    await end();
    const refused = await attach(size);
    const shown = await desk.client().get(`/v1/messages/${message}`);
    const fetched = await download(before.attachments[0].url);
    await mend();

    expect([refused.status, refused.body.error]).toEqual([503, 'storage_unavailable']);
    expect(shown.status).toBe(200);
    expect([fetched.status, ((await fetched.json()) as { error: string }).error]).toEqual([503, 'storage_unavailable']);
    expect([(await bucket.files()).length, await attached()]).toEqual([files, count]);
    expect((await attach(size)).status).toBe(201);
    expect((await download(before.attachments[0].url)).status).toBe(200);
  });
});

describe('a key that the bucket refuses', () => {
  it.each([
    ['an unknown id', { id: 'NOBODY' }, 'InvalidAccessKeyId'],
    ['a wrong secret', { secret: 'guessed' }, 'SignatureDoesNotMatch'],
    ['a wrong region', { region: 'elsewhere' }, 'SignatureDoesNotMatch'],
  ])('causes a log entry without the key when the API starts: %s', async (_, wrong, reason) => {
    const bucket = await FakeBucket.start();
    onTestFinished(() => bucket.stop());
    const desk = await startDesk();
    onTestFinished(() => desk.stop());
    const api = await desk.apiProcess({ STORAGE_URL: bucket.urlWith(wrong), LOG_LEVEL: 'debug' });
    await eventually(() => api.output().includes('STORAGE_URL'));

    expect(api.output()).toContain(reason);
    for (const secret of ['not+a/real secret=', encodeURIComponent('not+a/real secret='), 'guessed'])
      expect(api.output()).not.toContain(secret);
  });
});
