import type { ModuleMetadata } from '@nestjs/common';
import { MailIntakeService } from './mail-intake.service.js';
import { MailListener } from './mail-server.js';

export const SMTP_PARTS = {
  providers: [MailIntakeService, MailListener],
} satisfies ModuleMetadata;
