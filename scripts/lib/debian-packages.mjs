/**
 * All Debian packages that this project uses.
 *
 * `file` is a file of the package. Checking for it is faster than asking dpkg, and also finds the software if
 * it was installed in another way.
 */

/** Packages that the service needs to run sessions. */
export const SERVICE_PACKAGES = [
  { name: 'chromium', file: '/usr/lib/chromium/chromium' },
  { name: 'xserver-xorg-core', file: '/usr/lib/xorg/Xorg' },
  { name: 'xserver-xorg-video-dummy', file: '/usr/lib/xorg/modules/drivers/dummy_drv.so' },
  { name: 'pulseaudio', file: '/usr/bin/pulseaudio' },
  { name: 'bubblewrap', file: '/usr/bin/bwrap' },
  { name: 'openbox', file: '/usr/bin/openbox' },
  { name: 'x11-xkb-utils', file: '/usr/bin/xkbcomp' },
  { name: 'xkb-data', file: '/usr/share/X11/xkb/rules/evdev' },
  { name: 'xauth', file: '/usr/bin/xauth' },
  { name: 'fonts-dejavu', file: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf' },
  { name: 'fonts-liberation', file: '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf' },
  { name: 'fonts-noto-cjk', file: '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc' },
  { name: 'fonts-noto-color-emoji', file: '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf' },
  { name: 'util-linux', file: '/usr/bin/setpriv' },
];

/** Additional packages for `npm test`. */
export const SHORT_TEST_PACKAGES = [
  { name: 'chromium-headless-shell', file: '/usr/lib/chromium/chromium-headless-shell' },
  { name: 'postgresql', file: '/usr/share/doc/postgresql/copyright' },
  { name: 'haproxy', file: '/usr/sbin/haproxy' },
  { name: 'nginx-light', file: '/usr/sbin/nginx' },
];

/** Additional packages for all tests. */
export const TEST_PACKAGES = [
  ...SHORT_TEST_PACKAGES,
  { name: 'firefox-esr', file: '/usr/bin/firefox-esr' },
  { name: 'webkit2gtk-driver', file: '/usr/bin/WebKitWebDriver' },
  // WebKit's decoders and its audio output.
  { name: 'gstreamer1.0-libav', file: '/usr/share/doc/gstreamer1.0-libav/copyright' },
  { name: 'gstreamer1.0-plugins-good', file: '/usr/share/doc/gstreamer1.0-plugins-good/copyright' },
  { name: 'gstreamer1.0-plugins-bad', file: '/usr/share/doc/gstreamer1.0-plugins-bad/copyright' },
];

/** Other software that the benchmark measures, and its tools. */
export const BENCH_PACKAGES = [
  { name: 'tigervnc-standalone-server', file: '/usr/bin/Xtigervnc' },
  { name: 'novnc', file: '/usr/share/novnc/vnc_lite.html' },
  { name: 'websockify', file: '/usr/bin/websockify' },
  { name: 'haproxy', file: '/usr/sbin/haproxy' },
  { name: 'iproute2', file: '/bin/ss' },
  { name: 'openssl', file: '/usr/bin/openssl' },
];

/** Packages that cause the faults in the tests of a cluster. */
export const CLUSTER_PACKAGES = [
  { name: 'postgresql', file: '/usr/share/doc/postgresql/copyright' },
  { name: 'haproxy', file: '/usr/sbin/haproxy' },
  { name: 'iproute2', file: '/bin/ss' },
  { name: 'nftables', file: '/usr/sbin/nft' },
  { name: 'faketime', file: '/usr/bin/faketime' },
];
