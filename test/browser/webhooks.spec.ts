// @module-tag long
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { NODE_SNIPPET, VERIFY_SNIPPET } from '../../apps/api/src/webhooks/snippets.js';
import { type TestConsole, consoleForTests } from '#test/support/console.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { type ReceivedRequest, verify } from '#test/support/receiver.js';

describe('a webhook in the console', () => {
  const console = consoleForTests();

  beforeAll(async () => {
    await console.desk.worker();
  });

  for (const javaScriptEnabled of [true, false])
    it(`supports adding, testing, inspecting, changing and deleting, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      const receiver = await console.desk.receiver({ replies: [204] });
      const page = await console.signedIn(undefined, { javaScriptEnabled });
      await page.goto('/settings/webhooks/new');
      await page.getByLabel('URL').fill('ftp://example.com/');
      await page.getByRole('checkbox', { name: /ticket_started/ }).check();
      await page.getByRole('button', { name: 'Add webhook' }).click();
      await page.locator('#f-url-fault').waitFor();
      const revealed = await timesRevealed(console);
      await page.getByLabel('URL').fill(receiver.url);
      await page.getByRole('button', { name: 'Add webhook' }).click();

      expect(await page.content()).not.toMatch(/whsec_\w/);
      expect(await timesRevealed(console)).toBe(revealed);
      await page.getByRole('button', { name: 'Reveal' }).click();
      await page.locator('[data-secret]').first().waitFor();
      expect(await timesRevealed(console)).toBe(revealed + 1);
      const secret = await page.locator('[data-secret]').first().textContent();
      const [test] = await receiver.received(1);
      verify(test!, secret!);

      // Without a script, this page answers a POST: a reload would repeat it and get the same response.
      if (javaScriptEnabled) await page.getByRole('link', { name: /View its deliveries/ }).click();
      else await page.goto(page.url().replace(/\/secret$/, ''));
      await expect
        .poll(async () => {
          if (!javaScriptEnabled) await page.reload();
          return page.getByRole('cell', { name: 'HTTP 204: delivered.' }).count();
        })
        .toBe(1);
      receiver.reply(500);
      await page.getByRole('button', { name: 'Send test' }).click();
      await receiver.received(2);
      await expect
        .poll(async () => {
          if (!javaScriptEnabled) await page.reload();
          return page.getByText('the receiver returned an error').count();
        })
        .toBeGreaterThan(0);
      await page
        .getByRole('link', { name: /^Delivery/ })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Attempts' }).waitFor();
      await page.getByRole('link', { name: /All deliveries/ }).click();

      await page.getByLabel('Filter', { exact: true }).fill('tag:vip');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('Would have sent 0 of the last').waitFor();
      expect(await page.getByLabel('Filter', { exact: true }).inputValue()).toBe('tag:vip');
      await page.getByLabel('Filter', { exact: true }).fill('');
      const other = await console.desk.receiver();
      await page.getByRole('textbox', { name: 'URL' }).fill(`${other.url}new`);
      await page.getByRole('textbox', { name: 'Name' }).first().fill('Billing gateway');
      await page.getByText('Headers and authentication').click();
      await page.getByRole('combobox', { name: 'Authentication' }).selectOption('basic');
      await page.getByRole('textbox', { name: 'User name' }).fill('maya');
      await page.getByLabel('Token or password').fill('never-shown-again');
      await page.getByRole('textbox', { name: 'Headers' }).fill('X-Api-Key: also-never-shown');
      await page.getByRole('button', { name: 'Save webhook' }).click();
      await page.getByRole('heading', { name: 'Billing gateway' }).waitFor();
      await page.getByText('x-api-key, authorization (basic)').waitFor();
      expect(await page.content()).not.toContain('never-shown');
      await page.getByRole('button', { name: 'Send test' }).click();
      const [sent] = await other.received(1);
      expect([sent!.path, sent!.headers['x-api-key']]).toEqual(['/new', 'also-never-shown']);
      expect(sent!.headers.authorization).toBe(`Basic ${btoa('maya:never-shown-again')}`);
      await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
      await page.getByLabel('Token or password').fill('typed-and-refused');
      await page.getByRole('button', { name: 'Save webhook' }).click();
      await page.getByText('also send headers and authentication').first().waitFor();
      expect(await page.content()).not.toContain('typed-and-refused');
      await page.getByRole('textbox', { name: 'URL' }).fill(`${other.url}new`);
      await page.getByRole('combobox', { name: 'Authentication' }).selectOption('none');
      await page.getByRole('checkbox', { name: 'Remove the headers' }).check();
      await page.getByRole('button', { name: 'Save webhook' }).click();
      await page.getByText('Webhook saved.').waitFor();
      await page.getByRole('button', { name: 'Send test' }).click();
      await other.received(2);
      await page.getByRole('button', { name: 'Reveal' }).click();
      expect(await page.locator('[data-secret]').textContent()).toBe(secret);

      await page.getByRole('button', { name: 'Rotate secret…' }).click();
      await page.getByRole('button', { name: 'Rotate secret', exact: true }).click();
      await page.getByText('Previous secret').waitFor();
      const rotated = await page.locator('[data-secret]').first().textContent();
      await page.getByRole('button', { name: 'Send test' }).click();
      await page.getByText('Test event sent.').waitFor();
      await eventually(() =>
        other.requests.some((request) => signedBy(request, rotated!) && signedBy(request, secret!)),
      );

      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('events are kept').waitFor();
      await startTicket(console.desk);
      await page.getByRole('button', { name: 'Resume' }).click();
      await eventually(() => other.requests.some(({ headers }) => headers['webhook-test'] === undefined));
      await page.getByLabel('What to replay').selectOption('all');
      await page.getByRole('button', { name: 'Replay…' }).click();
      await page.getByRole('button', { name: /^Replay \d+ deliver/ }).click();
      await page.getByText('Replay started.').waitFor();
      await page.getByRole('link', { name: 'View webhook' }).first().click();
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('button', { name: 'Delete webhook' }).click();
      await page.getByText('Webhook deleted.').waitFor();
      expect(console.browserErrors).toEqual([]);
    });

  async function testDelivery() {
    const receiver = await console.desk.receiver();
    const { id, secret } = await console.desk.webhook('ticket_opened', receiver.url);
    await console.desk.client().post(`/v1/webhooks/${id}/test`);
    return { ...(await receiver.received(1))[0]!, secret };
  }

  it('offers a code sample that accepts only genuine deliveries', async () => {
    const { headers, body, secret } = await testDelivery();
    const code = NODE_SNIPPET.replace('process.env.WEBHOOK_SECRET', JSON.stringify(secret));
    const { isFromDeskwire } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      isFromDeskwire: (headers: object, body: string) => boolean;
    };
    const relabelled = { ...headers, 'webhook-event': 'ticket_deleted' };
    const verdicts = [
      isFromDeskwire(headers, body),
      isFromDeskwire(headers, `${body} `),
      isFromDeskwire(relabelled, body),
    ];
    expect(verdicts).toEqual([true, false, false]);
  });

  it('shows how to compute the signature of a request', async () => {
    const { headers, body, secret } = await testDelivery();
    const given = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', VERIFY_SNIPPET, '', ...given], {
      input: body,
      env: { WEBHOOK_SECRET: secret },
    });
    expect(stdout.toString().trim()).toBe(String(headers['webhook-signature']).split(' ')[0]);
  });
});

async function timesRevealed({ desk }: TestConsole): Promise<number> {
  return (await desk.sql.query("select from activities where kind = 'webhook_secret_read'")).rowCount ?? 0;
}

function signedBy(request: ReceivedRequest, secret: string): boolean {
  try {
    verify(request, secret);
    return true;
  } catch {
    return false;
  }
}
