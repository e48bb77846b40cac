import { SessionsService } from '#libs/access';
import type { Desk } from './desk.js';

interface Wanted {
  readonly watch: string;
  /** The owner of the desk's account by default. */
  readonly agentId?: string | undefined;
  readonly seen?: string | undefined;
  readonly base?: string;
}

export async function sessionCookie(desk: Desk, agentId = desk.account.owner.id): Promise<string> {
  const browser = { userAgent: 'tests', address: '127.0.0.1' };
  const { token } = await desk.api.get(SessionsService).open({ accountId: desk.account.id, id: agentId }, browser);
  return `deskwire-session=${token}`;
}

/** An open page’s stream of changes, with the changes it received. */
export class ListeningPage {
  heard = '';
  isOpen = true;
  private readonly gone = new AbortController();

  static async open(desk: Desk, { watch, agentId, seen, base = desk.base }: Wanted): Promise<ListeningPage> {
    const page = new ListeningPage();
    const query = new URLSearchParams({ watch, ...(seen !== undefined && { seen }) });
    const answer = await fetch(`${base}/live?${query.toString()}`, {
      headers: { cookie: await sessionCookie(desk, agentId), accept: 'text/event-stream' },
      signal: page.gone.signal,
    });
    page.status = answer.status;
    void page.listen(answer);
    return page;
  }

  status = 0;

  get changes(): number {
    return this.heard.split('event: changed').length - 1;
  }

  leave(): void {
    this.gone.abort();
  }

  private async listen({ body }: Response): Promise<void> {
    try {
      for await (const part of body!.pipeThrough(new TextDecoderStream())) this.heard += part;
    } catch {
      // The agent left.
    }
    this.isOpen = false;
  }
}
