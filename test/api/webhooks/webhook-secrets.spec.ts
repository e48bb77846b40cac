import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readSecrets } from '../../../apps/receiver/src/api-secrets.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { insertWebhooks, registerWebhook } from '#test/support/webhooks.js';

const desk = deskForFile();

const secretsOf = async (id: string) => (await desk.client().get(`/v1/webhooks/${id}/secret`)).body.secrets;
const rotate = async (id: string) => (await desk.client().post(`/v1/webhooks/${id}/secret/rotate`)).body.secrets;

describe('the secrets of a webhook', () => {
  it('can be read again, without caching', async () => {
    const { id, secret } = await registerWebhook(desk.client());

    const answer = await desk.client().get(`/v1/webhooks/${id}/secret`);

    expect(answer.body).toEqual({ secrets: [{ secret, created_at: expect.any(String), expires_at: null }] });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('etag')).toBeNull();
  });

  it('stay valid for a day after a rotation, the new one first', async () => {
    const { id, secret } = await registerWebhook(desk.client());

    const rotated = await rotate(id);

    expect(rotated).toHaveLength(2);
    expect(rotated[0].expires_at).toBeNull();
    expect(rotated[1].secret).toBe(secret);
    expect(Date.parse(rotated[1].expires_at) - Date.parse(rotated[0].created_at)).toBe(86_400_000);
    expect(await secretsOf(id)).toEqual(rotated);
    desk.clock.advance({ days: 1, seconds: 1 });
    expect((await secretsOf(id)).map((one: { secret: string }) => one.secret)).toEqual([rotated[0].secret]);
  });

  it('number five at most after many rotations', async () => {
    const { id, secret } = await registerWebhook(desk.client());
    const made: string[] = [secret];
    for (let time = 0; time < 7; time++) made.unshift((await rotate(id))[0].secret);

    expect((await secretsOf(id)).map((one: { secret: string }) => one.secret)).toEqual(made.slice(0, 5));
  });

  it('appear only encrypted in the database', async () => {
    const { id, secret } = await registerWebhook(desk.client());
    const { rows } = await desk.sql.query('select sealed from webhook_secrets where webhook_id = $1', [id]);

    expect(rows[0].sealed.toString('latin1')).not.toContain(secret.slice(6, 20));
  });

  it('reach npm run receiver, if they can sign requests to its port', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deskwire-receiver-'));
    const credentials = { base_url: desk.base, token: desk.account.owner.token };
    await writeFile(join(folder, 'first-run.json'), JSON.stringify(credentials));
    const { id, secret } = await desk.webhook('ticket_started', 'http://127.0.0.1:4321/hooks');
    const elsewhere = await desk.webhook('ticket_started', 'http://127.0.0.1:4322/hooks');
    // The API lists most of these before the two.
    await insertWebhooks(desk, Array<string>(100).fill('https://receiver.example/'));
    const [rotated] = await rotate(id);
    vi.stubEnv('DATA_DIR', folder);
    const secrets = await readSecrets(4321).finally(() => vi.unstubAllEnvs());
    await rm(folder, { recursive: true });

    expect(secrets).toEqual(expect.arrayContaining([secret, rotated.secret]));
    expect(secrets).not.toContain(elsewhere.secret);
  });
});
