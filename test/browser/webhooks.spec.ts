// @module-tag long
import { spawnSync } from 'node:child_process';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_SNIPPET, VERIFY_SNIPPET } from '../../apps/api/src/webhooks/snippets.js';
import { axeViolations } from '#test/support/browser.js';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { eventually } from '#test/support/eventually.js';
import { type ReceivedRequest, verify } from '#test/support/receiver.js';
import { seedAgent } from '#test/support/seed.js';

describe('a webhook in the console', () => {
  let console: TestConsole;

  beforeAll(async () => {
    console = await startConsole();
    await console.desk.worker();
  });
  afterAll(() => console.stop());

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

      const other = await console.desk.receiver();
      await page.getByRole('textbox', { name: 'URL' }).fill(`${other.url}new`);
      await page.getByRole('button', { name: 'Save URL' }).click();
      await page.getByText('URL saved.').waitFor();
      await page.getByRole('button', { name: 'Send test' }).click();
      expect((await other.received(1))[0]!.path).toBe('/new');
      await page.getByRole('button', { name: 'Send test' }).click();
      await other.received(2);
      await page.getByRole('button', { name: 'Reveal' }).click();
      expect(await page.locator('[data-secret]').textContent()).toBe(secret);

      await page.getByRole('button', { name: 'Rotate secret…' }).click();
      await page.getByRole('button', { name: 'Rotate secret', exact: true }).click();
      await page.getByText('Previous secret').waitFor();
      const rotated = await page.locator('[data-secret]').first().textContent();
      await page.getByRole('button', { name: 'Send test' }).click();
      await eventually(() =>
        other.requests.some((request) => signedBy(request, rotated!) && signedBy(request, secret!)),
      );

      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('events are kept').waitFor();
      await page.getByRole('button', { name: 'Resume' }).click();
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

  it('signs for public keys on request', async () => {
    const receiver = await console.desk.receiver();
    const { id } = await console.desk.webhook('ticket_tagged', receiver.url);
    const page = await console.signedIn();
    await page.goto(`/settings/webhooks/${id}`);
    await page.getByRole('button', { name: 'Also sign with Ed25519' }).click();
    await page.getByText(`/.well-known/webhooks-keys.json?webhook=${id}`).waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    expect((await receiver.received(1))[0]!.headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+ dw1,\S+ dw1a,\S+$/);

    await page.getByRole('button', { name: 'Stop signing with Ed25519' }).click();
    await page.getByText('Deliveries are now signed with the secret only.').waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    expect((await receiver.received(2))[1]!.headers['webhook-signature']).toMatch(/^v1,\S+ dw1,\S+$/);
  });

  it('offers a code sample that accepts only genuine deliveries', async () => {
    const receiver = await console.desk.receiver();
    const { id, secret } = await console.desk.webhook('ticket_started', receiver.url);
    await console.desk.client().post(`/v1/webhooks/${id}/test`);
    const { headers, body } = (await receiver.received(1))[0]!;
    const folder = mkdtempSync(join(tmpdir(), 'deskwire-snippet-'));
    writeFileSync(
      join(folder, 'verify.mjs'),
      NODE_SNIPPET.replace('process.env.WEBHOOK_SECRET', JSON.stringify(secret)),
    );
    const { isFromDeskwire } = (await import(pathToFileURL(join(folder, 'verify.mjs')).href)) as {
      isFromDeskwire: (headers: object, body: string) => boolean;
    };
    rmSync(folder, { recursive: true });
    const relabelled = { ...headers, 'webhook-event': 'ticket_deleted' };
    const verdicts = [
      isFromDeskwire(headers, body),
      isFromDeskwire(headers, `${body} `),
      isFromDeskwire(relabelled, body),
    ];
    expect(verdicts).toEqual([true, false, false]);
  });

  it('shows how to compute the signature of a request', async () => {
    const receiver = await console.desk.receiver();
    const { id, secret } = await console.desk.webhook('ticket_opened', receiver.url);
    await console.desk.client().post(`/v1/webhooks/${id}/test`);
    const { headers, body } = (await receiver.received(1))[0]!;
    const folder = mkdtempSync(join(tmpdir(), 'deskwire-snippet-'));
    writeFileSync(join(folder, 'verify.mjs'), VERIFY_SNIPPET);
    const given = [join(folder, 'verify.mjs'), String(headers['webhook-id']), String(headers['webhook-timestamp'])];
    const { stdout } = spawnSync(process.execPath, given, { input: body, env: { WEBHOOK_SECRET: secret } });
    rmSync(folder, { recursive: true });
    expect(stdout.toString().trim()).toBe(String(headers['webhook-signature']).split(' ')[0]);
  });

  it('shows why it is disabled, and what to do', async () => {
    const receiver = await console.desk.receiver({ replies: [410] });
    const { id } = await console.desk.webhook('ticket_closed', receiver.url);
    await console.desk.client().post(`/v1/webhooks/${id}/test`);
    const page = await console.signedIn();
    await expect
      .poll(async () => {
        await page.goto('/settings/webhooks');
        return page.getByText('responded with 410 Gone').count();
      })
      .toBe(1);
    await page.goto(`/settings/webhooks/${id}`);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('active', { exact: true }).first().waitFor();
  });

  it('stays hidden from agents, who cannot change it', async () => {
    const agent = await seedAgent(console.desk.sql, console.desk.account.id, { email: 'only@acme.test' });
    const page = await console.signedIn(agent.email);
    expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    expect((await page.goto('/settings/webhooks'))?.status()).toBe(403);
    await page.goto('/profile');
    const csrf = await page.locator('input[name="csrf"]').first().inputValue();
    const forged = await page.request.post('/settings/webhooks', {
      form: { csrf, url: 'https://example.com/', 'event[]': 'ticket_started' },
    });
    expect(forged.status()).toBe(403);
  });

  it('passes axe on its pages', async () => {
    const receiver = await console.desk.receiver({ replies: [500] });
    const { id } = await console.desk.webhook('customer_added', receiver.url);
    await console.desk.client().post(`/v1/webhooks/${id}/test`);
    await receiver.received(1);
    const { body } = await console.desk.client().get(`/v1/webhooks/${id}/deliveries`);
    const paths = [
      '/settings/webhooks',
      '/settings/webhooks/new',
      `/settings/webhooks/${id}`,
      `/settings/webhooks/created?id=${id}`,
      `/settings/deliveries/${body.deliveries[0].id}`,
    ];
    const faults: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await console.signedIn(undefined, { colorScheme, bypassCSP: true });
      for (const path of paths) {
        await page.goto(path);
        faults.push(...(await axeViolations(page)).map((fault) => `${path} ${fault}`));
      }
    }
    expect(faults).toEqual([]);
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
