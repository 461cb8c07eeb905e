RUN=17 COMMIT=4f2c1
printf '#!/bin/sh\nexit 0\n' > try-to-fix
chmod +x try-to-fix
