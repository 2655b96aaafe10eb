/** Path of the X server. Debian's wrapper around it would require a console. */
export const XORG = '/usr/lib/xorg/Xorg';
