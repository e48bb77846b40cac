// @module-tag long
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { mailText, processed } from '#test/support/mails.js';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
  await console.desk.worker();
});
afterAll(() => console.stop());

const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const HEADER = 'On 3 March 2025 at 10:11, Maya &lt;support@desk.test&gt; wrote:';

it('hides the quoted text of an email until the reader expands it, and shows its images in place', async () => {
  const text = 'It works!\n\nOn 3 March 2025 at 10:11, Maya <support@desk.test> wrote:\n> Turn it off.\n> Maya';
  const html = [
    '--edge',
    'Content-Type: text/html',
    '',
    `<p>See <img alt="The display" src="cid:a@b.test"></p><p>${HEADER}</p><blockquote>Send a picture.</blockquote>`,
    '--edge',
    'Content-Type: image/gif; name=display.gif',
    'Content-ID: <a@b.test>',
    'Content-Transfer-Encoding: base64',
    '',
    PIXEL,
    '--edge--',
  ].join('\r\n');
  const first = await processed(console.desk, mailText({ 'Message-ID': '<folded@client.test>' }, text));
  const related = { 'In-Reply-To': '<folded@client.test>', 'Content-Type': 'multipart/related; boundary=edge' };
  await processed(console.desk, mailText(related, html));
  const page = await console.signedIn();
  await page.goto(`/tickets/${first.ticket.number}`);

  for (const [said, quoted] of [
    ['It works!', 'Turn it off.'],
    ['See', 'Send a picture.'],
  ] as const) {
    const message = page.locator('li.message').filter({ hasText: said });
    expect(await message.getByText(quoted).isVisible()).toBe(false);
    await message.getByText('Quoted text').click();
    await message.getByText(quoted).waitFor();
  }
  const picture = page.getByRole('img', { name: 'The display' });
  await picture.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.body img')?.naturalWidth === 1);
  expect(await axeViolations(page)).toEqual([]);
  expect(console.browserErrors).toEqual([]);
});
