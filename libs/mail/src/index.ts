export { type Mail, Mailer, SEND_RESULTS, type SendResult } from './mailer.js';
