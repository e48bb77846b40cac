export const HELD_MAIL_PATH = '/held-mail';
