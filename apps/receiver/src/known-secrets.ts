import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface FirstRunFile {
  readonly base_url: string;
  readonly token: string;
}

/** The signing secrets: those from the command line, or those of the API. */
export class KnownSecrets {
  private loaded: string[] = [];

  constructor(
    private readonly given: readonly string[],
    private readonly port: number,
  ) {}

  /** Reads the secrets again if none matches, because a webhook may be new. */
  async verify(verifies: (secret: string) => boolean): Promise<'verified' | 'refused' | 'none'> {
    if ([...this.given, ...this.loaded].some((secret) => verifies(secret))) return 'verified';
    if (this.given.length === 0) this.loaded = await this.fromApi().catch(() => []);
    if (this.loaded.some((secret) => verifies(secret))) return 'verified';
    return this.given.length + this.loaded.length > 0 ? 'refused' : 'none';
  }

  private async fromApi(): Promise<string[]> {
    const { base_url, token } = await readFirstRunFile();
    const get = async (path: string): Promise<unknown> =>
      (await fetch(new URL(path, base_url), { headers: { authorization: `Bearer ${token}` } })).json();
    const { webhooks } = (await get('/v1/webhooks?per_page=50')) as { webhooks: { id: string; url: string }[] };
    const mine = webhooks.filter(({ url }) => new URL(url).port === String(this.port));
    const answers = await Promise.all(mine.map(({ id }) => get(`/v1/webhooks/${id}/secret`)));
    return answers.flatMap((answer) => secretsOf(answer));
  }
}

async function readFirstRunFile(): Promise<FirstRunFile> {
  const { DATA_DIR = '.data' } = process.env;
  return JSON.parse(await readFile(join(DATA_DIR, 'first-run.json'), 'utf8')) as FirstRunFile;
}

/** During a rotation there are two. */
function secretsOf(answer: unknown): string[] {
  return JSON.stringify(answer).match(/whsec_[A-Za-z0-9+/=]+/g) ?? [];
}
