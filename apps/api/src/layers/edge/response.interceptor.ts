import { type FeedPage, MAX_COUNTED_ROWS, type Page } from '#libs/lists';
import { Links, RECORDS } from '#libs/payloads';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { stringify } from 'qs';
import { type Observable, map } from 'rxjs';
import { API_OPERATION_KEY, type ApiOperationOptions, type NamedRecord } from './api-operation.decorator.js';
import type { Exchange } from './caller.js';

@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  constructor(
    private readonly links: Links,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const operation = this.reflector.get<ApiOperationOptions | undefined>(API_OPERATION_KEY, context.getHandler());
    if (!operation) return next.handle();
    const http = context.switchToHttp();
    const exchange = { request: http.getRequest<FastifyRequest>(), reply: http.getResponse<FastifyReply>() };
    return next.handle().pipe(map((result: unknown) => this.answer(operation, result, exchange)));
  }

  private answer(operation: ApiOperationOptions, result: unknown, exchange: Exchange): unknown {
    const { record, created, accepted, list, feed } = operation;
    // The handler returns a row or a list.
    const many = operation.records ?? (created && !Array.isArray(result) ? undefined : operation.createdAll);
    if (list) return this.list(list, result as Page<unknown>, exchange);
    if (feed) return this.feed(feed, result as FeedPage<unknown>, exchange);
    if (many) return { [many[0]]: this.payloads(many, result as unknown[]) };
    const one = record ?? created ?? accepted;
    if (!one) return result;
    const [payload] = this.payloads(one, [result]);
    if (!record) void exchange.reply.header('location', payload!['href']);
    return { [one[0]]: payload };
  }

  private payloads([, name]: NamedRecord, rows: readonly unknown[]): Record<string, unknown>[] {
    // `ApiOperation` has checked the type of the rows.
    return rows.map((row) => RECORDS[name](row as never, this.links));
  }

  private list(record: NamedRecord, page: Page<unknown>, { request, reply }: Exchange): object {
    const { page: number, total, totalPages, perPage, capped, next, previous } = page;
    const urlOf = (place: PagePosition): string => this.pageUrl(request, place);
    const links = {
      first: urlOf({ page: 1 }),
      prev: previous === null ? null : urlOf({ page: number - 1, cursor: previous }),
      next: next === null ? null : urlOf({ page: number + 1, cursor: next }),
      last: capped || total > MAX_COUNTED_ROWS ? null : urlOf({ page: Math.max(1, totalPages) }),
    };
    setLinkHeader(reply, links);
    const pagination = {
      current_page: number,
      total_pages: totalPages,
      total_count: total,
      per_page: perPage,
      next_page: links.next,
      prev_page: links.prev,
      ...(capped && { total_count_capped: true }),
    };
    return { [record[0]]: this.payloads(record, page.items), meta: { pagination } };
  }

  private feed(record: NamedRecord, feed: FeedPage<unknown>, { request, reply }: Exchange): object {
    const { items, perPage, cursor, hasMore } = feed;
    const next = hasMore ? this.pageUrl(request, { cursor }) : null;
    setLinkHeader(reply, { next });
    const meta = { cursor, pagination: { per_page: perPage, next_page: next } };
    return { [record[0]]: this.payloads(record, items), meta };
  }

  private pageUrl(request: FastifyRequest, place: PagePosition): string {
    const { page: _page, cursor: _cursor, access_token: _token, ...asked } = request.query as Record<string, unknown>;
    const path = request.url.split('?', 1)[0] ?? '';
    return `${this.links.base}${path}?${stringify({ ...asked, ...place }, { arrayFormat: 'brackets' })}`;
  }
}

type PagePosition = { readonly page?: number; readonly cursor?: string };

/** Node's client refuses 16 KB of headers. The body has the same URLs. */
const MAX_LINK_CHARACTERS = 8000;

function setLinkHeader(reply: FastifyReply, addresses: Readonly<Record<string, string | null>>): void {
  const links = Object.entries(addresses).flatMap(([rel, address]) => (address ? [`<${address}>; rel="${rel}"`] : []));
  const header = links.join(', ');
  if (header !== '' && header.length <= MAX_LINK_CHARACTERS) void reply.header('link', header);
}
