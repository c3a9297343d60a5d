#!/bin/sh
# Makes a Debian root what the container of assay is: Node, Chromium's headless shell, fonts
# (Latin, Chinese, Japanese, Korean, emoji), and the user that assay runs as. Run as root, with
# assay in the PATH.
set -eu
export DEBIAN_FRONTEND=noninteractive

apt-get update
apt-get install -y --no-install-recommends ca-certificates nodejs npm
assay install --with-deps
useradd --create-home --uid 1000 assay
su assay -c 'assay install' # the driver, in that user's cache
install -d -o assay -g assay /project
rm -rf ~/.cache ~/.npm ~assay/.npm /var/lib/apt/lists/*
