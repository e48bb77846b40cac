// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { addMailbox, ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { formOf, postFiles } from '#test/support/upload.js';

const PNG_TEXT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PNG = Uint8Array.from(Buffer.from(PNG_TEXT, 'base64'));
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';

const pngCalled = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(PNG) });

const console = consoleForTests();
let page: Page;
let number: number;
beforeAll(async () => {
  page = await console.signedIn();
});

beforeEach(async () => {
  number = await ticketFromAna(console.desk);
});

describe('an image in a message', () => {
  it('appears in the thread under a signed address, unless it only claims to be an image or is SVG', async () => {
    const { messages } = (await console.desk.client().get(`/v1/tickets/${number}/messages`)).body;
    const files = [
      { name: 'screen.png', type: 'image/png', bytes: PNG },
      { name: 'liar.png', type: 'image/png', bytes: SVG },
      { name: 'other.png', type: 'image/jpeg', bytes: PNG },
      { name: 'drawing.svg', type: 'image/svg+xml', bytes: SVG },
      { name: 'page.html', type: 'text/html', bytes: PNG },
    ];
    const { body } = await postFiles(console.desk, messages[0].id as string, formOf(files));
    const ids = new Map((body.attachments as { filename: string; id: string }[]).map((a) => [a.filename, a.id]));

    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(`/tickets/${number}?folder=open`);
    // A script removes broken images from the page, so this reads the HTML.
    const drawn = await (await page.request.get(page.url())).text();
    expect(drawn.match(/src="\/attachments\/[^"]+\/image"/g)).toHaveLength(3);
    const shown = (): Promise<number[]> =>
      page.evaluate("[...document.querySelectorAll('.attachments img')].map((picture) => picture.naturalWidth)");
    await eventually(async () => (await shown()).join() === '1');
    expect(requested.some((url) => url.includes(`/downloads/${ids.get('screen.png')}?pass=`))).toBe(true);
    for (const name of ['liar.png', 'other.png', 'drawing.svg', 'page.html']) {
      expect((await page.request.get(`/attachments/${ids.get(name)}/image`)).status()).toBe(404);
      expect(requested.some((url) => url.includes(`/downloads/${ids.get(name)}`))).toBe(false);
    }
    for (const name of ids.keys()) expect(await page.getByRole('link', { name }).count()).toBe(1);
  });

  it('disappears when its ticket is deleted', async () => {
    const { messages } = (await console.desk.client().get(`/v1/tickets/${number}/messages`)).body;
    const form = formOf([{ name: 'screen.png', type: 'image/png', bytes: PNG }]);
    await postFiles(console.desk, messages[0].id as string, form);
    await console.desk.client().delete(`/v1/tickets/${number}`);
    await page.goto(`/tickets/${number}?folder=deleted`);
    await page.getByText('screen.png').waitFor();
    expect(await page.locator('.attachments img').count()).toBe(0);
  });
});

/** Dispatches the event that a browser fires when files are pasted or dropped. */
const bring = (kind: 'paste' | 'drop', selector: string, name: string): Promise<unknown> =>
  page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${PNG_TEXT}'), (sign) => sign.charCodeAt(0));
    const files = new DataTransfer();
    files.items.add(new File([bytes], ${JSON.stringify(name)}, { type: 'image/png' }));
    const event = '${kind}' === 'paste'
      ? new ClipboardEvent('paste', { clipboardData: files, bubbles: true, cancelable: true })
      : new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true });
    document.querySelector(${JSON.stringify(selector)}).dispatchEvent(event);
  })()`);

describe('the file field', () => {
  it('accepts pasted and dropped files, shows previews, removes files, and sends the rest', async () => {
    await page.goto(`/tickets/${number}?folder=open`);
    await bring('paste', '#body', 'image.png');
    await bring('drop', '.conversation', 'dropped.png');
    await page.getByRole('textbox', { name: 'Message' }).fill('See the pictures.');
    const saved = page.getByRole('list', { name: 'Files of your draft' });
    await saved.getByText(/^Pasted \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/).waitFor();
    await saved.getByText('dropped.png').waitFor();
    await eventually(async () => (await saved.locator('img[src^="data:image/png"]').count()) === 2);
    expect(await page.getByRole('list', { name: 'Chosen files' }).count()).toBe(0);

    await page.getByRole('button', { name: /^Remove Pasted/ }).click();
    await saved.getByText(/^Pasted/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const sent = page.getByRole('article', { name: 'Message from Maya Lind' });
    await sent.getByRole('link', { name: 'dropped.png' }).waitFor();
    expect(await sent.getByRole('link').count()).toBe(1);
    expect(console.browserErrors).toEqual([]);
  });

  it('removes files while the draft is being saved', async () => {
    await page.goto(`/tickets/${number}?folder=open`);
    for (const name of ['one.png', 'two.png', 'three.png']) await bring('paste', '#body', name);
    const saved = page.getByRole('list', { name: 'Files of your draft' });
    await eventually(async () => (await saved.getByRole('listitem').count()) === 3);

    let answer: (() => void) | undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/draft', async (route) => {
      const response = await route.fetch();
      await answered;
      await route.fulfill({ response });
    });
    const saving = page.waitForRequest('**/draft');
    await page.getByRole('textbox', { name: 'Message' }).fill('Without those two.');
    await saving;
    for (const name of ['one.png', 'three.png']) await page.getByRole('button', { name: `Remove ${name}` }).click();
    answer?.();
    await eventually(async () => (await saved.getByRole('listitem').count()) === 1);
    await page.unrouteAll({ behavior: 'wait' });

    await page.reload();
    expect(await saved.getByRole('listitem').allInnerTexts()).toEqual([expect.stringContaining('two.png')]);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Without those two.');
  });

  it('lists the files of a new ticket by name, and removes them again', async () => {
    await page.goto('/tickets/new');
    await page.getByLabel('To', { exact: true }).fill('ana@client.example');
    await page.getByLabel('Message', { exact: true }).fill('Two files, or one.');
    await page.getByLabel('Attach files').setInputFiles(['one.png', 'two.png'].map(pngCalled));
    const chosen = page.getByRole('list', { name: 'Chosen files' });
    await eventually(async () => (await chosen.locator('img').count()) === 2);
    await page.getByRole('button', { name: 'Remove one.png' }).click();
    expect(await chosen.getByRole('listitem').allInnerTexts()).toEqual([expect.stringContaining('two.png')]);
    await page.getByRole('button', { name: 'Create ticket' }).click();
    await page.getByRole('link', { name: 'two.png' }).waitFor();
    expect(await page.getByRole('link', { name: 'one.png' }).count()).toBe(0);
  });

  it('pastes the text when the clipboard also has an image of it', async () => {
    await page.goto(`/tickets/${number}?folder=open`);
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
      data.setData('text/plain', 'words');
      window.taken = !document.querySelector('#body').dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    expect(await page.evaluate('window.taken')).toBe(false);
  });
});

const offered = (shown: Page): Promise<string[]> =>
  shown.evaluate(
    "[...document.querySelectorAll('#known-customers option')].map(({ value, label }) => `${value} ${label}`)",
  );

describe('the form for a new ticket', () => {
  beforeAll(async () => {
    await ticketFromAna(console.desk);
    const ana = { first_name: 'Ana', last_name: 'Ruiz', company_name: 'Northwind' };
    await console.desk.client().patch('/v1/customers/ana@client.example', ana);
    await console.desk.client().post('/v1/customers', { email: 'bo@other.example', first_name: 'Bo' });
    await addMailbox(console.desk, { name: 'Billing' });
  });

  it('suggests customers whose name, company or address contains the typed text', async () => {
    await page.goto('/tickets/new');
    const to = page.getByLabel('To', { exact: true });
    for (const typed of ['rui', 'north', 'ana@cl']) {
      await to.fill('');
      await eventually(async () => (await offered(page)).length === 0);
      await to.pressSequentially(typed);
      await eventually(async () => (await offered(page)).join() === 'ana@client.example Ana Ruiz, Northwind');
    }
    expect(console.browserErrors).toEqual([]);
  });

  it.each([true, false])('starts with the mailbox that was used last, with a script: %s', async (javaScriptEnabled) => {
    const writing = await console.signedIn(undefined, { javaScriptEnabled });
    await writing.goto('/tickets/new');
    expect(await writing.getByLabel('Mailbox', { exact: true }).inputValue()).toBe('Support');
    await writing.getByLabel('To', { exact: true }).fill('ana@client.example');
    await writing.getByLabel('Message', { exact: true }).fill('About your invoice.');
    await writing.getByLabel('Mailbox', { exact: true }).selectOption('Billing');
    await writing.getByRole('button', { name: 'Create ticket' }).click();
    await writing.getByText(/Ticket #\d+ created\./).waitFor();
    await writing.goto('/tickets/new');
    expect(await writing.getByLabel('Mailbox', { exact: true }).inputValue()).toBe('Billing');
  });
});
