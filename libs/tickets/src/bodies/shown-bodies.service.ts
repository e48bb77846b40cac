import { Transactions } from '#libs/database';
import type { BodyForm, Message } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { SAVE_RENDERED, readHtml } from '../messages/message.statements.js';
import type { RequestContext } from '../request-context.js';
import { BodyRenderer } from './body-renderer.js';
import type { RenderedBody } from './render-body.js';
import { startOfHtml } from './safe-html.js';

export interface ShownBody {
  readonly as: BodyForm;
  /** `html` may stand in a page unescaped; its remote pictures are held back. */
  readonly content: string;
  readonly cut: boolean;
}

const ALL = 2 ** 30;

@Injectable()
export class ShownBodiesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly renderer: BodyRenderer,
  ) {}

  /** By message id. Round trips: 0 for text, 1 for HTML, 1 for each message not rendered yet. */
  async read(
    context: RequestContext,
    messages: readonly Message[],
    { characters = ALL }: { characters?: number | undefined },
  ): Promise<Map<string, ShownBody>> {
    const account = this.transactions.account(context);
    const stored = messages.filter(({ shownAs }) => shownAs === 'html').map(({ id }) => id);
    const html = await readHtml(account, stored, characters + 1);
    const shown = messages.map(async (message): Promise<[string, ShownBody]> => {
      const { plainTextBody, shownAs } = message;
      const kept = { plainTextBody, shownAs, safeHtml: html.get(message.id) ?? null };
      const rendered = shownAs === null ? await this.renderPostponed(context, message) : kept;
      return [message.id, shownBody(message.body, rendered, characters)];
    });
    return new Map(await Promise.all(shown));
  }

  async preview({ accountId }: RequestContext, body: string): Promise<ShownBody> {
    return shownBody(body, await this.renderer.render(accountId, { body, markdown: true }), ALL);
  }

  /** For a message written while the renderer was busy. */
  private async renderPostponed(context: RequestContext, { id, body }: Message): Promise<RenderedBody> {
    const rendered = await this.renderer.render(context.accountId, { body });
    const { shownAs, safeHtml } = rendered;
    if (shownAs !== null) await this.transactions.account(context).rows(SAVE_RENDERED, [id, shownAs, safeHtml]);
    return rendered;
  }
}

function shownBody(body: string, { shownAs, safeHtml, plainTextBody }: RenderedBody, characters: number): ShownBody {
  const html = startOfHtml(safeHtml ?? '', characters);
  if (shownAs === 'html' && safeHtml !== null && html !== null)
    return { as: 'html', content: html, cut: safeHtml.length > characters };
  const text = shownAs === 'text' ? body : plainTextBody;
  return {
    as: shownAs === 'text' ? 'text' : 'text_of_html',
    content: text.slice(0, characters),
    cut: text.length > characters,
  };
}
