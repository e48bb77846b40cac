import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { registerWebhook } from '#test/support/webhooks.js';

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
});
