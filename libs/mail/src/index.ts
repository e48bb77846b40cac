export { MailModule } from './mail.module.js';
export { type Mail, Mailer } from './mailer.js';
