import {
  RESPONSE_CLASSES,
  type ResponseClass,
  DELIVERY_STANDINGS,
  DELIVERY_STATES,
  type DeliveryStanding,
  type DeliveryState,
  InvalidField,
  MAX_WEBHOOK_NAME,
  REPLAY_CHOICES,
  type ReplayChoice,
  SIGNATURE_VERSIONS,
  type SignatureVersion,
  WEBHOOK_STATES,
  type WebhookState,
} from '#libs/entities';
import { MAX_FILTER_CHARACTERS } from '#libs/filters';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import { checkOutgoingUrl } from '#libs/address-guard';
import { webhookSecretFault } from '#libs/delivery';
import { Transform } from 'class-transformer';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { ApiDescription } from '../layers/edge/api-operation.decorator.js';
import { IsTime, ListFilter, Optional, TextOrEmpty, splitCommas, timeOf } from '../layers/edge/field-decorators.js';
import { PageQueryDto } from '../layers/edge/page-query.dto.js';

const KINDS = Object.keys(EVENT_KINDS);

export const IsEventKind = (each = false) => IsIn(KINDS, { each, context: { code: 'unknown_event_kind' } });

/** `WebhooksService` checks the URL again, because only it knows whether this installation requires https. */
const urlErrorOf = (value: unknown) => {
  if (typeof value !== 'string') return { code: 'not_a_text', message: 'must be text' };
  const checked = checkOutgoingUrl(value, { requireHttps: false });
  return checked.ok ? null : checked;
};

const IsWebhookUrl = () =>
  ValidateBy(
    {
      name: 'isWebhookAddress',
      validator: {
        validate: (value: unknown) => urlErrorOf(value) === null,
        defaultMessage: (tried) => urlErrorOf(tried?.value)?.message ?? '',
      },
    },
    { context: { code: (value: unknown) => urlErrorOf(value)?.code } },
  );

const secretFaultOf = (value: unknown): string | null =>
  typeof value === 'string' ? webhookSecretFault(value) : 'must be text';

const IsWebhookSecret = () =>
  ValidateBy({
    name: 'isWebhookSecret',
    validator: {
      validate: (value: unknown) => secretFaultOf(value) === null,
      defaultMessage: (tried) => secretFaultOf(tried?.value) ?? '',
    },
  });

const Signatures = () =>
  Optional(
    '`v1a` adds signatures that receivers verify with a public key. `v1` always signs.',
    Transform(splitCommas),
    IsArray(),
    ArrayUnique(),
    IsIn(SIGNATURE_VERSIONS, { each: true }),
  );

const Name = () =>
  Optional(`A name of your choice. Up to ${MAX_WEBHOOK_NAME} characters.`, TextOrEmpty(MAX_WEBHOOK_NAME));

const Filter = () =>
  Optional(
    'Sends only events of tickets that match all of `tag:`, `mailbox:`, `priority:`, `assignee:`, `group:` and `is:` (a state); `-` excludes. Empty or null: all events.',
    TextOrEmpty(MAX_FILTER_CHARACTERS),
  );

export class CreateWebhookDto {
  static readonly oneOfThese = { names: ['event', 'events'], excluding: true };

  @ApiDescription('The kind of event that the webhook receives.')
  @ValidateIf(({ event, events }: CreateWebhookDto) => (event ?? null) !== null || (events ?? null) === null)
  @IsEventKind()
  event?: EventKind;
  @ApiDescription('Instead of `event`: creates one webhook per kind under one secret, all or none.')
  @ValidateIf(({ events }: CreateWebhookDto) => (events ?? null) !== null)
  @Transform(splitCommas)
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsEventKind(true)
  events?: EventKind[];
  @ApiDescription('The URL that receives the events.') @IsWebhookUrl() url: string;
  @Optional(
    'An existing secret of the receiver: `whsec_` and 24 to 64 bytes in base64. Default: a new one.',
    IsWebhookSecret(),
  )
  secret?: string;
  @Name() name?: string | null;
  @Filter() filter?: string | null;
  @Optional('Default: `active`.', IsIn(['active', 'paused'])) state?: 'active' | 'paused';
  @Signatures() signatures?: SignatureVersion[];

  toInput() {
    const { event, events, url, secret, name, filter, state, signatures } = this;
    if (event && events) throw new InvalidField('events', 'one_of_two', 'send either events or event, not both');
    const options = {
      secret: secret ?? undefined,
      name: name || null,
      filter: filter?.trim() || null,
      state: state ?? undefined,
      signatures: signatures ?? undefined,
    };
    return { events: events ?? [event!], url, ...options, isOne: !events };
  }
}

export class ChangeWebhookDto {
  @Optional('The new URL.', IsWebhookUrl()) url?: string;
  @Name() name?: string | null;
  @Filter() filter?: string | null;
  @Optional('`active` also enables a disabled webhook.', IsIn(['active', 'paused'])) state?: 'active' | 'paused';
  @Signatures() signatures?: SignatureVersion[];

  toInput() {
    const { url, name, filter, state, signatures } = this;
    return {
      url: url ?? undefined,
      name: name === undefined ? undefined : name || null,
      filter: filter === undefined ? undefined : filter?.trim() || null,
      state: state ?? undefined,
      signatures: signatures ?? undefined,
    };
  }
}

export class PreviewFilterDto {
  @ApiDescription('The kind of event.') @IsEventKind() event: EventKind;
  @Filter() filter?: string | null;
}

export class WebhooksQueryDto extends PageQueryDto {
  @Optional('Lists only webhooks for this kind of event.', IsEventKind()) event?: EventKind;
  @Optional('Lists only webhooks in this state.', IsIn(WEBHOOK_STATES)) state?: WebhookState;

  override toQuery() {
    return { ...super.toQuery(), event: this.event, state: this.state };
  }
}

/** With a filter by state, a page can have fewer items than `per_page`. Follow `next_page` to see more. */
export class DeliveriesQueryDto extends PageQueryDto {
  @ListFilter('Lists only deliveries in these states, separated by commas.', IsIn(DELIVERY_STATES, { each: true }))
  state?: DeliveryState[];
  @ListFilter(
    'Lists only deliveries with these statuses, as the console shows them, separated by commas.',
    IsIn(DELIVERY_STANDINGS, { each: true }),
  )
  standing?: DeliveryStanding[];
  @Optional('Lists only deliveries created at this time or later.', IsTime()) since?: string;
  @Optional('Lists only deliveries created before this time.', IsTime()) before?: string;

  override toQuery() {
    return {
      ...super.toQuery(),
      states: this.state ?? undefined,
      standings: this.standing ?? undefined,
      since: timeOf(this.since),
      before: timeOf(this.before),
    };
  }
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
  @Optional('Replays only deliveries to webhooks for this kind of event.', IsIn(KINDS)) event?: EventKind;

  override toInput() {
    return { ...super.toInput(), event: this.event ?? undefined };
  }
}

export class WebhookKeysQueryDto {
  @IsOptional() @IsString() webhook?: string;
}
