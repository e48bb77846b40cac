import type { RequestContext } from '#libs/tickets';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { TicketNumberPipe } from '../../layers/edge/path-parameter.pipes.js';
import { actingOf } from '../../layers/shell/acting.js';
import { type InboxQuery, parseInboxQuery } from '../inbox-query.js';
import { meOf } from '../../layers/sign-in/me.decorator.js';
import { FormFields } from '../../layers/ui/form-fields.js';

/** The list to return to. A query cannot lead to another site. */
export const ReturnTo = createParamDecorator((_: unknown, context: ExecutionContext): InboxQuery =>
  returnTo(context.switchToHttp().getRequest<FastifyRequest>()),
);

const returnTo = ({ body }: FastifyRequest): InboxQuery =>
  parseInboxQuery(Object.fromEntries(new URLSearchParams(new FormFields(body).text('back'))));

export interface TicketOnPage {
  readonly context: RequestContext;
  readonly number: number;
  readonly back: InboxQuery;
}

export const TicketOnPage = createParamDecorator((_: unknown, context: ExecutionContext): TicketOnPage => {
  const request = context.switchToHttp().getRequest<FastifyRequest<{ Params: { number: string } }>>();
  const number = new TicketNumberPipe().transform(request.params.number);
  return { context: actingOf(meOf(request)), number, back: returnTo(request) };
});
