// @module-tag long
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../apps/launcher/src/ports.js';
import { SmallDisk } from '../../faults/mail/small-disk.js';
import { startDesk } from '#test/support/desk.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, postMail, whatBecameOf } from '#test/support/mails.js';
import { mailLines, talk } from '#test/support/smtp.js';
import { NEW_RECORDS } from '#test/support/new-records.js';
import { formOf, postFiles } from '#test/support/upload.js';

const MIB = 1024 * 1024;
/** A disk of 300 MiB has a reserve of 128 MiB. */
const SIZE = '300m';
const BELOW = 100 * MIB;

const disk = SmallDisk.mount(SIZE);
const port = await freePort();
const desk = await startDesk({ settings: { MAIL_PORT: `${port}`, STORAGE_URL: disk.folder } });
afterEach(() => disk.makeRoom());
afterAll(async () => {
  await desk.stop();
  disk.remove();
});

const upload = (messageId: string) => postFiles(desk, messageId, formOf([{ name: 'a.csv', bytes: 'a;b' }]));

const aMail = (text = mailText(), from = newEmail()): string[] => mailLines(from, [desk.account.mailbox.email], text);
const SENT = ['250', '250', '354', '250'];
/** Waits until the API accepts or refuses files. It checks the disk once a second. */
const filesAre = (answer: '250' | '452') =>
  eventually(async () => (await talk(port, aMail().slice(0, 1)))[0] === answer);
const readiness = async () => {
  const answer = await fetch(`${desk.base}/readyz`);
  return { status: answer.status, disk: ((await answer.json()) as { disk: string }).disk };
};

const gauge = async (name: string) => {
  const metrics = await (await fetch(`${desk.base}/metrics`)).text();
  return Number(new RegExp(`^deskwire_files_disk_${name}_bytes\\{.*\\} (.*)$`, 'm').exec(metrics)?.[1]);
};

describe.runIf(disk.canBeFull)('a disk with less free space than its reserve', () => {
  it('accepts tickets but no files, and files again when there is room', async () => {
    const message = await NEW_RECORDS.message(desk);
    disk.fill(BELOW);
    await filesAre('452');
    const refused = await upload(message);
    await startTicket(desk);
    const ready = await eventually(async () => {
      const said = await readiness();
      return said.disk !== 'ok' && said;
    });
    disk.makeRoom();
    await filesAre('250');

    expect([refused.status, refused.body.error, refused.headers.get('retry-after')]).toEqual([
      503,
      'storage_full',
      '60',
    ]);
    expect(ready).toEqual({ status: 200, disk: 'files_refused' });
    expect(await talk(port, aMail())).toEqual(SENT);
    expect((await upload(message)).status).toBe(201);
  });

  it('shows its free space and its reserve in the metrics', async () => {
    disk.fill(BELOW);
    await eventually(async () => (await gauge('free')) === disk.freeBytes());
    expect(await gauge('reserve')).toBe(128 * MIB);
  });

  it('refuses a large mail that would use up the reserve while it arrives', async () => {
    disk.fill(BELOW);
    await filesAre('452');
    disk.makeRoom();
    disk.fill(135 * MIB);
    await filesAre('250');
    const large = `${mailText()}${`${'x'.repeat(998)}\r\n`.repeat(20_000)}`;
    const said = await talk(port, aMail(large));

    expect(said).toEqual(['250', '250', '354', '452']);
    expect(disk.freeBytes()).toBeGreaterThan(130 * MIB);
    expect((await desk.sql.query('select from stray_files')).rowCount).toBe(0);
  });

  it('stores the files of an email that was accepted before', async () => {
    await filesAre('250');
    const { arrival } = (await postMail(desk, WITH_FILE)).body;
    disk.fill(BELOW);
    await filesAre('452');
    await desk.worker();
    const { message } = await whatBecameOf(desk, arrival);

    expect(message.attachments).toMatchObject([{ name: 'a.csv', size: 3 }]);
  });
});

const WITH_FILE = mailText(
  { 'Content-Type': 'multipart/mixed; boundary=b' },
  '--b\r\n\r\nHere it is\r\n--b\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\na;b\r\n--b--',
);
