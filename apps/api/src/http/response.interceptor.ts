import { MAX_COUNTED_ROWS, type Page } from '#libs/lists';
import { Links } from '#libs/payloads';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { stringify } from 'qs';
import { type Observable, map } from 'rxjs';
import { AcceptedResponse, CreatedResponse, FeedResponse, ListResponse } from './responses.js';

@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  constructor(private readonly links: Links) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next.handle().pipe(
      map((answer: unknown) => {
        const reply = http.getResponse<FastifyReply>();
        if (answer instanceof CreatedResponse) return sendWithLocation(reply, 201, answer);
        if (answer instanceof AcceptedResponse) return sendWithLocation(reply, 202, answer);
        if (answer instanceof FeedResponse) return this.feed(http.getRequest<FastifyRequest>(), reply, answer);
        if (answer instanceof ListResponse) return this.list(http.getRequest<FastifyRequest>(), reply, answer);
        return answer;
      }),
    );
  }

  private list(request: FastifyRequest, reply: FastifyReply, { name, page, toPayload }: ListResponse<unknown>): object {
    const addresses = pageLinksOf(page, (place) => this.pageUrl(request, place));
    void reply.header('link', linkHeader(addresses));
    return {
      [name]: page.items.map(toPayload),
      meta: {
        pagination: {
          current_page: page.page,
          total_pages: Math.ceil(page.total / page.perPage),
          total_count: page.total,
          per_page: page.perPage,
          next_page: addresses.next,
          prev_page: addresses.prev,
          ...(page.capped && { total_count_capped: true }),
        },
      },
    };
  }

  private feed(request: FastifyRequest, reply: FastifyReply, { name, items, position }: FeedResponse): object {
    const { perPage, cursor, more } = position;
    const next = more ? this.pageUrl(request, { cursor }) : null;
    if (next !== null) void reply.header('link', `<${next}>; rel="next"`);
    return { [name]: items, meta: { cursor, pagination: { per_page: perPage, next_page: next } } };
  }

  /** The same query for another page, without a token. */
  private pageUrl(request: FastifyRequest, place: PagePosition): string {
    const { page: _page, cursor: _cursor, access_token: _token, ...asked } = request.query as Record<string, unknown>;
    const path = request.url.split('?', 1)[0] ?? '';
    return `${this.links.base}${path}?${stringify({ ...asked, ...place }, { arrayFormat: 'brackets' })}`;
  }
}

interface PagePosition {
  readonly page?: number;
  readonly cursor?: string;
}

interface PageLinks {
  readonly first: string;
  readonly prev: string | null;
  readonly next: string | null;
  readonly last: string | null;
}

function pageLinksOf(
  { page, perPage, total, capped, next, previous }: Page<unknown>,
  address: (place: PagePosition) => string,
): PageLinks {
  return {
    first: address({ page: 1 }),
    prev: previous === null ? null : address({ page: page - 1, cursor: previous }),
    next: next === null ? null : address({ page: page + 1, cursor: next }),
    last: capped || total > MAX_COUNTED_ROWS ? null : address({ page: Math.max(1, Math.ceil(total / perPage)) }),
  };
}

const linkHeader = (addresses: PageLinks): string =>
  Object.entries(addresses)
    .flatMap(([rel, address]: [string, string | null]) => (address === null ? [] : [`<${address}>; rel="${rel}"`]))
    .join(', ');

function sendWithLocation(
  reply: FastifyReply,
  status: number,
  { location, body }: CreatedResponse | AcceptedResponse,
): object {
  void reply.status(status).header('location', location);
  return body;
}
