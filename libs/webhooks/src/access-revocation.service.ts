import { Injectable } from '@nestjs/common';
import { disableWebhooksOfAccess, disableWebhooksOfApplication } from './webhook-endings.statements.js';

/** Disables webhooks made under revoked access. Upkeep cancels their deliveries. */
@Injectable()
export class AccessRevocationService {
  readonly disableOfAccess = disableWebhooksOfAccess;
  readonly disableOfApplication = disableWebhooksOfApplication;
}
