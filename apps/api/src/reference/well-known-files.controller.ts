import { Clock, later } from '#libs/database';
import { existing } from '#libs/entities';
import { addressesIn } from '#libs/mail';
import { Links } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Controller, Get, Header, Inject } from '@nestjs/common';
import { Public } from '../layers/edge/caller.js';
import { findAsset } from '../layers/ui/assets.js';
import { llmsText } from './llms-text.js';

const A_DAY = 'public, max-age=86400';
/** RFC 9116 recommends less than a year. */
const CONTACT_MS = 360 * 86_400_000;

/** Files that programs look for at fixed paths. */
@Controller()
@Public()
export class WellKnownFilesController {
  constructor(
    private readonly links: Links,
    private readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  @Get('llms.txt')
  @Header('cache-control', A_DAY)
  describe(): string {
    return llmsText(this.links.base);
  }

  @Get('.well-known/security.txt')
  @Header('cache-control', A_DAY)
  readContact(): string {
    const [sender] = addressesIn(this.settings.MAIL_FROM);
    const { address } = existing(sender, 'security_contact');
    const contact = encodeURIComponent(address).replace(/%40(?!.*%40)/, '@');
    const expires = later(this.clock.now(), CONTACT_MS).toISOString().slice(0, 10);
    const canonical = `${this.links.base}/.well-known/security.txt`;
    return `Contact: mailto:${contact}\nExpires: ${expires}T00:00:00Z\nPreferred-Languages: en\nCanonical: ${canonical}\n`;
  }

  @Get('favicon.ico')
  @Header('cache-control', A_DAY)
  @Header('content-type', 'image/x-icon')
  readIcon(): Buffer {
    return findAsset('favicon.ico')!.body;
  }
}
