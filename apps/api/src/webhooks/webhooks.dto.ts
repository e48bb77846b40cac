import {
  InvalidField,
  MAX_WEBHOOK_NAME,
  SIGNATURE_VERSIONS,
  type SignatureVersion,
  WEBHOOK_STATES,
  type WebhookState,
} from '#libs/entities';
import { MAX_FILTER_CHARACTERS } from '#libs/filters';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import { webhookSecretFault } from '#libs/delivery';
import type { Authentication } from '#libs/webhooks';
import { MAX_URL_LENGTH, checkOutgoingUrl } from '#libs/address-guard';
import { Transform } from 'class-transformer';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsOptional, IsString, ValidateIf } from 'class-validator';
import { ApiDescription } from '../layers/edge/api-operation.decorator.js';
import {
  BooleanFlag,
  FreeOfFaults,
  Optional,
  Text,
  TextOrEmpty,
  splitCommas,
} from '../layers/edge/field-decorators.js';
import { PageQueryDto, wholeNumber } from '../layers/edge/page-query.dto.js';
import { IsAuthentication, IsWebhookHeaders } from './webhook-headers.dto.js';

const KINDS = Object.keys(EVENT_KINDS);

export const IsEventKind = (each = false) => IsIn(KINDS, { each, context: { code: 'unknown_event_kind' } });

/** `WebhooksService` checks the URL again, because only it knows whether this installation requires https. */
const urlErrorOf = (value: unknown) => {
  if (typeof value !== 'string') return { code: 'not_a_text', message: 'must be text' };
  const checked = checkOutgoingUrl(value, { requireHttps: false });
  return checked.ok ? null : checked;
};

const IsWebhookUrl = () =>
  FreeOfFaults(
    'isWebhookAddress',
    (value) => urlErrorOf(value)?.code,
    (value) => urlErrorOf(value)?.message ?? null,
  );

const secretFaultOf = (value: unknown): string | null =>
  typeof value === 'string' ? webhookSecretFault(value) : 'must be text';

const Secret = () =>
  Optional(
    'An existing secret of the receiver: `whsec_` and 24 to 64 bytes in base64. Default: a new one.',
    FreeOfFaults('isWebhookSecret', 'not_a_secret', secretFaultOf),
  );

const Filter = () =>
  Optional(
    'Sends only events of tickets that match all of `tag:`, `mailbox:`, `priority:`, `assignee:`, `group:` and `is:` (a state); `-` excludes. Empty or null: all events.',
    TextOrEmpty(MAX_FILTER_CHARACTERS),
  );

abstract class WebhookOptionsDto {
  @Optional(`A name of your choice. Up to ${MAX_WEBHOOK_NAME} characters.`, TextOrEmpty(MAX_WEBHOOK_NAME))
  name?: string | null;
  @Filter() filter?: string | null;
  @Optional('Default for a new webhook: `active`, which also enables a disabled one.', IsIn(['active', 'paused']))
  state?: 'active' | 'paused';
  @Optional(
    '`v1a` adds signatures that receivers verify with a public key. `v1` always signs.',
    Transform(splitCommas),
    IsArray(),
    ArrayUnique(),
    IsIn(SIGNATURE_VERSIONS, { each: true }),
  )
  signatures?: SignatureVersion[];

  @Optional('Headers for each delivery, by name. Write-only. Null removes them.', IsWebhookHeaders())
  headers?: Readonly<Record<string, string>> | null;
  @Optional('Sent as the header `authorization`. Write-only. Null removes it.', IsAuthentication())
  authentication?: Authentication | null;

  protected options() {
    const { name, filter, state, signatures, headers, authentication } = this;
    return {
      headers,
      authentication,
      name: name === undefined ? undefined : name || null,
      filter: filter === undefined ? undefined : filter?.trim() || null,
      state: state ?? undefined,
      signatures: signatures ?? undefined,
    };
  }
}

export class ChangeWebhookDto extends WebhookOptionsDto {
  @Optional('The new URL.', IsWebhookUrl()) url?: string;

  toInput() {
    return { ...this.options(), url: this.url ?? undefined };
  }
}

abstract class WantedWebhookDto extends WebhookOptionsDto {
  @ApiDescription('The URL that receives the events.') @IsWebhookUrl() url: string;
  @Secret() secret?: string;

  protected wanted<const Events extends readonly EventKind[]>(events: Events) {
    return { ...this.options(), events, url: this.url, secret: this.secret ?? undefined };
  }
}

export class EnsureWebhookDto extends WantedWebhookDto {
  @ApiDescription('The kind of event that the webhook receives. It cannot change.') @IsEventKind() event: EventKind;

  toInput() {
    return this.wanted([this.event]);
  }
}

export class CreateWebhookDto extends WantedWebhookDto {
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

  toInput() {
    const { event, events } = this;
    if (event && events) throw new InvalidField('events', 'one_of_two', 'send either events or event, not both');
    return { ...this.wanted(events ?? [event!]), isOne: !events };
  }
}

export class RotateSecretDto {
  @Secret() secret?: string;
  @Optional(
    { words: 'How long the previous secrets also sign. `0` ends them at once.', default: 24 },
    ...wholeNumber(0, 168),
  )
  overlap_hours?: number;
  @Optional('Whether all webhooks that were registered in the same request get this secret.', BooleanFlag())
  together?: boolean;

  toInput() {
    const { secret, overlap_hours: hours, together } = this;
    return { secret: secret ?? undefined, overlapHours: hours ?? undefined, together: together ?? undefined };
  }
}

export class PreviewFilterDto {
  @ApiDescription('The kind of event.') @IsEventKind() event: EventKind;
  @Filter() filter?: string | null;
}

export class WebhooksQueryDto extends PageQueryDto {
  @Optional('Lists only webhooks with this URL.', Text(MAX_URL_LENGTH)) url?: string;
  @Optional('Lists only webhooks for this kind of event.', IsEventKind()) event?: EventKind;
  @Optional('Lists only webhooks in this state.', IsIn(WEBHOOK_STATES)) state?: WebhookState;

  override toQuery() {
    return { ...super.toQuery(), url: this.url ?? undefined, event: this.event, state: this.state };
  }
}

export class WebhookKeysQueryDto {
  @IsOptional() @IsString() webhook?: string;
}
