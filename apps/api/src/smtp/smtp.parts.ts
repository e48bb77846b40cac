import { MailIntakeService } from './mail-intake.service.js';
import { MailListener } from './mail-server.js';

export const SMTP = {
  providers: [MailIntakeService, MailListener],
};
