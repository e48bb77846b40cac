export { MailModule } from './mail.module.js';
export { type Mail, Mailer, type Sent } from './mailer.js';
