export { MailModule } from './mail.module.js';
export { type Mail, Mailer, SENT, type Sent } from './mailer.js';
