import { FileStore } from '#libs/storage';
import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, multipartMail, processed, unreadableMail } from '#test/support/mails.js';

const desk = deskForFile();
beforeAll(() => desk.worker());

interface StoredMail {
  readonly isInStore: boolean;
  readonly hasRaw: boolean;
}

async function storedMail({ id }: { readonly id: string }): Promise<StoredMail> {
  const file = await desk.api.get(FileStore, { strict: false }).open({ accountId: desk.account.id, id });
  file?.destroy();
  const { rows } = await desk.sql.query('select has_raw as "hasRaw" from arrivals where id = $1', [id]);
  return { isInStore: file !== null, hasRaw: (rows[0] as { hasRaw: boolean }).hasRaw };
}

const REMOVED = { isInStore: false, hasRaw: false };
const removed = (arrival: { readonly id: string }) =>
  eventually(async () => {
    const stored = await storedMail(arrival);
    return !stored.isInStore && stored;
  });

const download = async (url: string): Promise<string> => {
  const { pathname, search } = new URL(url);
  return (await fetch(new URL(`${pathname}${search}`, desk.base))).text();
};

const withFile = (): string =>
  multipartMail(
    [{ body: 'Here it is' }, { headers: ['Content-Disposition: attachment; filename=a.csv'], body: 'a;b' }],
    { headers: { From: newEmail() } },
  );

describe('the file store', () => {
  it('removes the bytes of an email whose files are stored with its message', async () => {
    const { arrival, message } = await processed(desk, withFile());

    expect(await removed(arrival)).toEqual(REMOVED);
    expect(await download(message.attachments[0].url)).toBe('a;b');
    expect((await desk.sql.query('select from stray_files where id = $1', [arrival.id])).rowCount).toBe(0);
  });

  it('removes the bytes of a duplicate', async () => {
    const mail = withFile();
    await processed(desk, mail);
    const { arrival } = await processed(desk, mail);

    expect(arrival.state).toBe('duplicate');
    expect(await removed(arrival)).toEqual(REMOVED);
  });

  it('stores an email that cannot be parsed only as the file of its message', async () => {
    const mail = unreadableMail();
    const { arrival, ticket, message } = await processed(desk, mail);

    expect(arrival).toMatchObject({ state: 'unreadable', reason: 'malformed' });
    expect(ticket.title).toBe('Unreadable email');
    expect(message.attachments).toMatchObject([
      { name: 'mail.eml', content_type: 'message/rfc822', size: mail.length },
    ]);
    expect(await removed(arrival)).toEqual(REMOVED);
    expect(await download(message.attachments[0].url)).toBe(mail);
  });
});

it('keeps the bytes of an email without files', async () => {
  const { arrival } = await processed(desk, mailText());

  expect(await storedMail(arrival)).toEqual({ isInStore: true, hasRaw: true });
});
