import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface FirstRunFile {
  readonly base_url: string;
  readonly token: string;
}

/** The secrets that a webhook may be signed with: those given, or those of the API. */
export class KnownSecrets {
  private found: string[] = [];

  constructor(
    private readonly given: readonly string[],
    private readonly port: number,
  ) {}

  /** Asks the API again only when no secret known so far verifies: a webhook may just have been made. */
  async verify(verifies: (secret: string) => boolean): Promise<'verified' | 'refused' | 'none'> {
    if ([...this.given, ...this.found].some((secret) => verifies(secret))) return 'verified';
    if (this.given.length === 0) this.found = await this.fromApi().catch(() => []);
    if (this.found.some((secret) => verifies(secret))) return 'verified';
    return this.given.length + this.found.length > 0 ? 'refused' : 'none';
  }

  private async fromApi(): Promise<string[]> {
    const { base_url, token } = await readFirstRunFile();
    const ask = async (path: string): Promise<unknown> =>
      (await fetch(new URL(path, base_url), { headers: { authorization: `Bearer ${token}` } })).json();
    const { webhooks } = (await ask('/v1/webhooks?per_page=50')) as { webhooks: { id: string; url: string }[] };
    const mine = webhooks.filter(({ url }) => new URL(url).port === String(this.port));
    const answers = await Promise.all(mine.map(({ id }) => ask(`/v1/webhooks/${id}/secret`)));
    return answers.flatMap((answer) => secretsOf(answer));
  }
}

async function readFirstRunFile(): Promise<FirstRunFile> {
  const { DATA_DIR = '.data' } = process.env;
  return JSON.parse(await readFile(join(DATA_DIR, 'first-run.json'), 'utf8')) as FirstRunFile;
}

/** Every string in the answer that is a secret: during a rotation there are two. */
function secretsOf(answer: unknown): string[] {
  return JSON.stringify(answer).match(/whsec_[A-Za-z0-9+/=]+/g) ?? [];
}
