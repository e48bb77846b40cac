import { NotFound } from '#libs/entities';
import { Injectable, type PipeTransform } from '@nestjs/common';

const MAX_TICKET_NUMBER = 2_147_483_647;

/** Answers 404 for a text that cannot be a ticket's number. */
@Injectable()
export class TicketNumberPipe implements PipeTransform<string, number> {
  transform(text: string): number {
    const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number <= MAX_TICKET_NUMBER)) throw new NotFound('ticket');
    return number;
  }
}
