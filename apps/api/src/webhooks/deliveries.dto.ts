import {
  DELIVERY_STANDINGS,
  DELIVERY_STATES,
  type DeliveryStanding,
  type DeliveryState,
  REPLAY_CHOICES,
  RESPONSE_CLASSES,
  type ReplayChoice,
  type ResponseClass,
} from '#libs/entities';
import type { EventKind } from '#libs/payloads';
import { IsIn } from 'class-validator';
import { IsId, IsLastStatus, IsTime, ListFilter, Optional, timeOf } from '../layers/edge/field-decorators.js';
import { PageQueryDto, wholeNumber } from '../layers/edge/page-query.dto.js';
import { MAX_TICKET_NUMBER } from '../layers/edge/path-parameter.pipes.js';
import { IsEventKind } from './webhooks.dto.js';

/** With a filter by state, a page can have fewer items than `per_page`. Follow `next_page` to see more. */
export class DeliveriesQueryDto extends PageQueryDto {
  @ListFilter('Lists only deliveries in these states, separated by commas.', IsIn(DELIVERY_STATES, { each: true }))
  state?: DeliveryState[];
  @ListFilter(
    'Lists only deliveries with these statuses, as the console shows them, separated by commas.',
    IsIn(DELIVERY_STANDINGS, { each: true }),
  )
  standing?: DeliveryStanding[];
  @ListFilter(
    'Lists only deliveries whose `last_status` is one of these codes (`404`) or classes (`5xx`), separated by commas. `none`: no status yet, or no response.',
    IsLastStatus(true),
  )
  last_status?: string[];
  @Optional('Lists only deliveries about the ticket with this number.', ...wholeNumber(1, MAX_TICKET_NUMBER))
  ticket?: number;
  @Optional('Lists only deliveries created at this time or later.', IsTime()) since?: string;
  @Optional('Lists only deliveries created before this time.', IsTime()) before?: string;

  override toQuery() {
    return {
      ...super.toQuery(),
      ticket: this.ticket ?? undefined,
      lastStatuses: this.last_status ?? undefined,
      states: this.state ?? undefined,
      standings: this.standing ?? undefined,
      since: timeOf(this.since),
      before: timeOf(this.before),
    };
  }
}

export class DeliverySearchDto extends DeliveriesQueryDto {
  @Optional('Lists only deliveries to the webhook with this id.', IsId()) webhook?: string;
  @Optional('Lists only deliveries of this kind of event.', IsEventKind()) event?: EventKind;

  override toQuery() {
    return { ...super.toQuery(), webhook: this.webhook ?? undefined, event: this.event ?? undefined };
  }
}

export const DEFAULT_HOURS = 24;

export class StatisticsQueryDto {
  @Optional(
    { words: 'How many hours on the clock to count, with the current one.', default: DEFAULT_HOURS },
    ...wholeNumber(1, 168),
  )
  hours?: number;
}

export class ReplayDto {
  @Optional('Replays deliveries created at this time or later. Default: as far back as they are kept.', IsTime())
  since?: string;
  @Optional('Replays deliveries created before this time. Default: now.', IsTime()) before?: string;
  @Optional(
    {
      words:
        '`failed`: given up or cancelled. `retrying`: failed and waiting for the next attempt, which is made now. `undelivered`: both. `all`: given up or delivered.',
      default: 'failed',
    },
    IsIn(REPLAY_CHOICES),
  )
  only?: ReplayChoice;
  @Optional(
    'Replays only deliveries whose last response was in this class, or that got no complete response (`none`).',
    IsIn(RESPONSE_CLASSES),
  )
  last_response?: ResponseClass;

  toInput() {
    return {
      choice: this.only ?? 'failed',
      lastResponse: this.last_response ?? undefined,
      since: timeOf(this.since),
      before: timeOf(this.before),
    };
  }
}

export class ReplaysDto extends ReplayDto {
  @Optional('Replays only deliveries to webhooks for this kind of event.', IsEventKind()) event?: EventKind;

  override toInput() {
    return { ...super.toInput(), event: this.event ?? undefined };
  }
}
