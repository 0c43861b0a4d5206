// SPDX-License-Identifier: GPL-2.0-only
// The least that a guest can run: says that it is there, and powers off.
#include <sys/reboot.h>
#include <unistd.h>

int main(void)
{
	static const char word[] = "first word\n";

	if (write(1, word, sizeof(word) - 1) < 0)
		return 1;
	reboot(RB_POWER_OFF);
	return 1;
}
