import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The signing secrets of the API’s webhooks that point at the port. During a rotation a webhook has two. */
export async function readSecrets(port: number): Promise<string[]> {
  const file = await readFile(join(process.env['DATA_DIR'] ?? '.data', 'first-run.json'), 'utf8');
  const { base_url: base, token } = JSON.parse(file) as { base_url: string; token: string };
  const get = async (path: string): Promise<unknown> =>
    (await fetch(new URL(path, base), { headers: { authorization: `Bearer ${token}` } })).json();
  const mine = await listWebhooks(get, port);
  const answers = await Promise.all(mine.map(({ id }) => get(`/v1/webhooks/${id}/secret`)));
  return answers.flatMap((answer) => JSON.stringify(answer).match(/whsec_[A-Za-z0-9+/=]+/g) ?? []);
}

interface ListedWebhook {
  readonly id: string;
  readonly url: string;
}

interface WebhooksPage {
  readonly webhooks: readonly ListedWebhook[];
  readonly meta: { readonly pagination: { readonly next_page: string | null } };
}

async function listWebhooks(get: (path: string) => Promise<unknown>, port: number): Promise<ListedWebhook[]> {
  const found: ListedWebhook[] = [];
  for (let path: string | undefined = '/v1/webhooks?per_page=50'; path;) {
    const { webhooks, meta } = (await get(path)) as WebhooksPage;
    found.push(...webhooks.filter(({ url }) => new URL(url).port === String(port)));
    const { next_page: next } = meta.pagination;
    // PUBLIC_URL may be unreachable from here.
    path = next?.slice(new URL(next).origin.length);
  }
  return found;
}
