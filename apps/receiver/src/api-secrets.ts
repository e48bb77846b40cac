import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The signing secrets of the API’s webhooks that point at the port. During a rotation a webhook has two. */
export async function readSecrets(port: number): Promise<string[]> {
  const file = await readFile(join(process.env['DATA_DIR'] ?? '.data', 'first-run.json'), 'utf8');
  const { base_url: base, token } = JSON.parse(file) as { base_url: string; token: string };
  const get = async (path: string): Promise<unknown> =>
    (await fetch(new URL(path, base), { headers: { authorization: `Bearer ${token}` } })).json();
  const { webhooks } = (await get('/v1/webhooks?per_page=50')) as { webhooks: { id: string; url: string }[] };
  const mine = webhooks.filter(({ url }) => new URL(url).port === String(port));
  const answers = await Promise.all(mine.map(({ id }) => get(`/v1/webhooks/${id}/secret`)));
  return answers.flatMap((answer) => JSON.stringify(answer).match(/whsec_[A-Za-z0-9+/=]+/g) ?? []);
}
